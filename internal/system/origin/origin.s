// This file is empty: the compiler permits functions without a body beside assembly.
