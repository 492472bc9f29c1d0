// Command prog is left out.
package main

func main() {}
