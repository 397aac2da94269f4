public import Kernels

/// How ggml lays out the elements of a tensor: all types that GGUF files may hold, by number.
///
/// Only those with a `weightFormat` can be multiplied here; the others are listed.
///
/// - Source: ggml.h and ggml-common.h of llama.cpp, ggml 0.25.
public struct GGMLType: Hashable, Sendable {
    /// The number in files.
    public var id: UInt32
    /// `Q4_K`.
    public var name: String
    /// Elements that share a block; rows are whole numbers of blocks.
    public var blockSize: Int
    public var bytesPerBlock: Int

    /// Format of the matrix product kernels; `nil` if there is none.
    public var weightFormat: WeightFormat? {
        switch id {
        case 0: .f32
        case 1: .f16
        case 2: .q4_0
        case 8: .q8_0
        case 12: .q4_k
        case 13: .q5_k
        case 14: .q6_k
        case 30: .bf16
        default: nil
        }
    }

    /// The type that holds a format; nil for those of other files (nf4, int8).
    public init?(_ format: WeightFormat) {
        guard let type = Self.all.values.first(where: { $0.weightFormat == format }) else { return nil }
        self = type
    }

    /// Returns the type with a number; `nil` if it was removed from the format or is unknown.
    public init?(id: UInt32) {
        guard let type = Self.all[id] else { return nil }
        self = type
    }

    /// The type of that name.
    init?(name: String) {
        guard let type = Self.all.values.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    private init(_ id: UInt32, _ name: String, _ blockSize: Int, _ bytesPerBlock: Int) {
        self.id = id
        self.name = name
        self.blockSize = blockSize
        self.bytesPerBlock = bytesPerBlock
    }

    /// Numbers that once meant something and must not be believed any more.
    static func wasRemoved(_ id: UInt32) -> Bool {
        id == 4 || id == 5 || (31...33).contains(id) || (36...38).contains(id)
    }

    private static let all: [UInt32: GGMLType] = {
        let table = [
            GGMLType(0, "F32", 1, 4), GGMLType(1, "F16", 1, 2), GGMLType(2, "Q4_0", 32, 18),
            GGMLType(3, "Q4_1", 32, 20),
            GGMLType(6, "Q5_0", 32, 22), GGMLType(7, "Q5_1", 32, 24), GGMLType(8, "Q8_0", 32, 34),
            GGMLType(9, "Q8_1", 32, 36), GGMLType(10, "Q2_K", 256, 84), GGMLType(11, "Q3_K", 256, 110),
            GGMLType(12, "Q4_K", 256, 144), GGMLType(13, "Q5_K", 256, 176), GGMLType(14, "Q6_K", 256, 210),
            GGMLType(15, "Q8_K", 256, 292), GGMLType(16, "IQ2_XXS", 256, 66), GGMLType(17, "IQ2_XS", 256, 74),
            GGMLType(18, "IQ3_XXS", 256, 98), GGMLType(19, "IQ1_S", 256, 50), GGMLType(20, "IQ4_NL", 32, 18),
            GGMLType(21, "IQ3_S", 256, 110), GGMLType(22, "IQ2_S", 256, 82), GGMLType(23, "IQ4_XS", 256, 136),
            GGMLType(24, "I8", 1, 1), GGMLType(25, "I16", 1, 2), GGMLType(26, "I32", 1, 4), GGMLType(27, "I64", 1, 8),
            GGMLType(28, "F64", 1, 8), GGMLType(29, "IQ1_M", 256, 56), GGMLType(30, "BF16", 1, 2),
            GGMLType(34, "TQ1_0", 256, 54), GGMLType(35, "TQ2_0", 256, 66), GGMLType(39, "MXFP4", 32, 17),
            GGMLType(40, "NVFP4", 64, 36), GGMLType(41, "Q1_0", 128, 18), GGMLType(42, "Q2_0", 64, 18),
        ]
        return Dictionary(uniqueKeysWithValues: table.map { ($0.id, $0) })
    }()
}
