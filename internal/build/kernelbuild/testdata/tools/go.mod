module example.org/me/tools

go 1.26
