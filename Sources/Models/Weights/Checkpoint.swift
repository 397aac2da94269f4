public import Kernels
public import Tokenizers

/// Where an architecture gets its weights from: a GGUF file, a folder of safetensors, a llama2.c file.
///
/// Tensors go by the names of GGUF (`blk.3.attn_q.weight`), whatever the file calls them: there is one vocabulary, and
/// each file format translates into it.
public protocol Checkpoint: Sendable {
    /// What sentences call it: the path as it was given.
    var path: String { get }
    var configuration: ModelConfiguration { get }
    /// Names of GGUF, in the order of the files.
    var tensorNames: [String] { get }
    /// Shape as `[rows, columns]`, `[n]`, `[experts, rows, columns]`; nil where there is no such tensor.
    func shape(of name: String) -> [Int]?
    /// A matrix `[rows, columns]`, where it lies.
    ///
    /// - Throws: `ModelError` where it is missing, has other sizes, or a type that cannot be multiplied.
    func matrix(_ name: String, rows: Int, columns: Int) throws(ModelError) -> WeightMatrix
    /// One matrix for each expert.
    func matrices(_ name: String, count: Int, rows: Int, columns: Int) throws(ModelError) -> [WeightMatrix]
    /// A vector as float32, copied.
    func vector(_ name: String, count: Int) throws(ModelError) -> [Float]
    /// Bytes of all tensors as they lie in the files.
    var weightBytes: Int { get }
    /// The tokenizer that lies with the weights; nil where there is none.
    func tokenizer() throws(ModelError) -> Tokenizer?
    /// The Jinja text by which conversations become one text; nil where the files hold none.
    var chatTemplateSource: String? { get }
}

extension Checkpoint {
    public var tensorNames: [String] { [] }
    public var weightBytes: Int { 0 }
    public func tokenizer() throws(ModelError) -> Tokenizer? { nil }
    public var chatTemplateSource: String? { nil }
}
