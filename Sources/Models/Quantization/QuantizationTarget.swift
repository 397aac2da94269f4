public import Kernels

/// What a model can be quantized to: a format for all matrices, or a mix that gives the sensitive ones more bits.
public enum QuantizationTarget: String, CaseIterable, Sendable {
    case f32, f16, bf16
    case q8_0, q4_0
    /// Q4_K; the sensitive matrices Q6_K (m) or Q5_K (s).
    case q4_k_m, q4_k_s
    /// Q5_K; the sensitive matrices Q6_K.
    case q5_k_m
    case q6_k
    /// bitsandbytes' normal float of 4 bits and LLM.int8, in a folder of safetensors.
    case nf4, int8

    /// The format of matrices that are not sensitive.
    public var format: WeightFormat {
        switch self {
        case .f32: .f32
        case .f16: .f16
        case .bf16: .bf16
        case .q8_0: .q8_0
        case .q4_0: .q4_0
        case .q4_k_m, .q4_k_s: .q4_k
        case .q5_k_m: .q5_k
        case .q6_k: .q6_k
        case .nf4: .nf4
        case .int8: .int8
        }
    }

    /// Written as a folder of Hugging Face; else as one GGUF file.
    public var isFolder: Bool { self == .nf4 || self == .int8 }

    /// `general.file_type` of GGUF.
    var fileType: Int {
        switch self {
        case .f32: 0
        case .f16: 1
        case .q4_0: 2
        case .q8_0: 7
        case .q4_k_s: 14
        case .q4_k_m: 15
        case .q5_k_m: 17
        case .q6_k: 18
        case .bf16: 32
        case .nf4, .int8: 1024
        }
    }
}
