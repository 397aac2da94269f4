internal import Glibc

/// The C library's functions, under names that do not hide those of tensors.
enum Exponential {
    static func of(_ x: Float) -> Float { expf(x) }
    static func logarithm(_ x: Float) -> Float { logf(x) }
}
