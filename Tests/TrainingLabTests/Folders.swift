import Glibc

func makeFolder(_ path: String) { mkdir(path, 0o755) }
