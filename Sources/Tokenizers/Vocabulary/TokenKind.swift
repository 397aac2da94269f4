/// What a token is for. Raw values are GGUF's `tokenizer.ggml.token_type`.
public enum TokenKind: UInt8, Sendable, CaseIterable {
    /// A piece of text.
    case normal = 1
    /// Stands for what the vocabulary cannot write.
    case unknown = 2
    /// Structure, such as `<|im_start|>`: never made from text unless that is asked for.
    case control = 3
    /// A piece of text that is cut out before anything else.
    case userDefined = 4
    /// A number without a use.
    case unused = 5
    /// One byte, such as `<0x0A>`.
    case byte = 6

    public var name: String {
        switch self {
        case .normal: "normal"
        case .unknown: "unknown"
        case .control: "control"
        case .userDefined: "user-defined"
        case .unused: "unused"
        case .byte: "byte"
        }
    }
}
