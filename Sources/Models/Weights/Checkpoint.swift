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
    /// Returns the shape as `[rows, columns]`, `[n]`, or `[experts, rows, columns]`; `nil` if the tensor is missing.
    func shape(of name: String) -> [Int]?
    /// A matrix `[rows, columns]`, where it lies.
    ///
    /// - Throws: `ModelError` where it is missing, has other sizes, or a type that cannot be multiplied.
    func matrix(_ name: String, rows: Int, columns: Int) throws(ModelError) -> WeightMatrix
    /// One matrix for each expert.
    func matrices(_ name: String, count: Int, rows: Int, columns: Int) throws(ModelError) -> [WeightMatrix]
    /// A vector as float32, copied.
    func vector(_ name: String, count: Int) throws(ModelError) -> [Float]
    /// Bytes of all tensors as stored in the files.
    var weightBytes: Int { get }
    /// Tokenizer stored with the weights; `nil` if there is none.
    func tokenizer() throws(ModelError) -> Tokenizer?
    /// Chat template (Jinja); `nil` if the files have none.
    var chatTemplateSource: String? { get }
}

extension Checkpoint {
    public var tensorNames: [String] { [] }
    public var weightBytes: Int { 0 }
    public func tokenizer() throws(ModelError) -> Tokenizer? { nil }
    public var chatTemplateSource: String? { nil }
}
