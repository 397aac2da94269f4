internal import Glibc
public import Kernels
internal import System

/// A kernel that a user writes: a C file, and a TOML file next to it that says how to call it, what it costs and what
/// is right.
///
/// ```toml
/// source = "saxpy.c"              # else the name of this file with .c
/// function = "saxpy"              # else the name of the source
/// reference = "saxpy_reference"   # a function with the same arguments: the textbook
/// flags = ["-O3", "-march=native"]
/// flops = "2 * n"
/// bytes = "12 * n"
/// tolerance = 1e-6                # of the output's root mean square
///
/// [sizes]
/// n = 100000
///
/// [[argument]]
/// name = "n"
/// role = "size"
///
/// [[argument]]
/// name = "x"
/// role = "input"                  # input, output, or both
/// type = "f32"                    # f32, f64, i8, u8, i32, i64
/// count = "n"
/// ```
public struct OwnKernel: Hashable, Sendable {
    /// The TOML file.
    public var path: String
    /// The C file.
    public var source: String
    public var function: String
    /// The function that is right; `nil` if nothing is compared.
    public var reference: String?
    /// The compiler: `cc` unless the file names another.
    public var compiler: String
    public var flags: [String]
    public var sizes: [Size]
    public var arguments: [Argument]
    public var flops: SizeExpression
    public var bytes: SizeExpression
    /// The largest error that is right, in root mean squares of the expected output.
    public var tolerance: Double
    /// Seconds beyond twice the measuring time after which it counts as endless.
    public var timeLimit: Double

    public struct Size: Hashable, Sendable {
        public var name: String
        public var value: Int
    }

    public struct Argument: Hashable, Sendable {
        public var name: String
        public var role: Role
        public var type: ElementType
        /// Elements; 1 for a size.
        public var count: SizeExpression
    }

    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// One of the sizes, passed by value.
        case size
        case input, output
        /// Read and written.
        case both

        var isWritten: Bool { self == .output || self == .both }
    }

    public enum ElementType: String, CaseIterable, Hashable, Sendable {
        case f32, f64, i8, u8, i32, i64

        var byteCount: Int {
            switch self {
            case .i8, .u8: 1
            case .f32, .i32: 4
            case .f64, .i64: 8
            }
        }

        /// The type's name in C.
        var inC: String {
            switch self {
            case .f32: "float"
            case .f64: "double"
            case .i8: "signed char"
            case .u8: "unsigned char"
            case .i32: "int"
            case .i64: "long"
            }
        }
    }

    /// What history calls it: the whole path of its TOML file, since two may have the same function.
    public var name: String { Self.whole(path) }

    /// What screens call it: `own/saxpy`.
    public var title: String { "own/" + function }

    /// Returns the absolute path without symbolic links; the path itself if there is no such file.
    static func whole(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// What a call costs by its own formulas.
    public var cost: KernelCost { KernelCost(flops: flops.value(sizeTable), bytes: bytes.value(sizeTable)) }

    var sizeTable: [String: Int] { Dictionary(sizes.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }) }
}
