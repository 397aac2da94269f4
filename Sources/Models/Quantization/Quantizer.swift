internal import Glibc
public import Kernels
internal import System

/// Writes a model in another format: `orrery model quantize`.
///
/// ```swift
/// let report = try Quantizer(.q4_k_m).run(from: "model-f16.gguf", to: "model-q4_k_m.gguf")
/// print(report.error.relative, report.worst().map(\.name))
/// ```
/// Formats of ggml become one GGUF file, from GGUF (metadata and vocabulary are kept), a folder of Hugging Face or
/// llama2.c; NF4 and INT8 become a folder, from a folder. Tensors pass one by one through memory that does not grow with
/// the model. The result appears under its name when it is whole.
public struct Quantizer {
    public var target: QuantizationTarget
    /// Whether to overwrite an existing file.
    public var replaces: Bool
    public var pool: ThreadPool

    public init(_ target: QuantizationTarget, replaces: Bool = false, pool: ThreadPool = .shared) {
        self.target = target
        self.replaces = replaces
        self.pool = pool
    }

    /// - Parameters:
    ///   - progress: called before each tensor.
    ///   - isCancelled: Called several times per second; `true` stops without writing anything.
    /// - Throws: `ModelError`; after cancellation, `problem` is `canceled`.
    public func run(
        from source: String, to path: String, isCancelled: @escaping () -> Bool = { false },
        progress: (QuantizationProgress) -> Void = { _ in }
    ) throws(ModelError) -> QuantizationReport {
        guard replaces || !FileNames.exists(path) else {
            throw ModelError(
                path, problem: "the path already exists", remedy: "Choose another path, or allow overwriting.")
        }
        let start = Clock.now(.monotonic)
        let checkpoint = try Checkpoints.directory(source)
        let encoder = TensorEncoder(source, pool: pool, isCancelled: isCancelled)
        var report: QuantizationReport
        if target.isFolder {
            guard let folder = checkpoint as? HuggingFaceFolder else {
                throw ModelError(
                    source, problem: "\(target.rawValue) requires a Hugging Face folder as input and output",
                    remedy: "Use the original folder of the model, or quantize to q8_0 or q4_k_m.")
            }
            report = try QuantizedFolder(target, folder, encoder).write(to: path, progress: progress)
        } else {
            report = try QuantizedGGUF(target, checkpoint, encoder).write(to: path, progress: progress)
        }
        report.seconds = Clock.now(.monotonic) - start
        return report
    }
}
