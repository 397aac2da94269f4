internal import Glibc
internal import Traces

/// The evaluation logs that can be read, and what to say of a file of another kind.
public enum EvalLogFormats {
    /// Every format; a file belongs to the first that recognizes it.
    public static let all: [any EvalLogFormat.Type] = [
        OrreryLogFormat.self, InspectArchiveFormat.self, InspectDocumentFormat.self, LMEvalFormat.self,
        PromptfooFormat.self, GarakFormat.self, OpenAIEvalsFormat.self,
    ]

    /// The runs that a file holds, or those of every log in a folder and in the folders in it.
    ///
    /// Only the head is read, so that a log of a gigabyte opens at once.
    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool = { false }
    ) throws(EvalLogError) -> [any EvalLog] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw EvalLogError(path: path, problem: "cannot open the file: \(String(cString: strerror(errno)))")
        }
        if status.st_mode & S_IFMT == S_IFDIR { return try LogFolder.open(path, isCancelled: isCancelled) }
        let file = try LogFile(path)
        let head = try file.bytes(0..<min(64 << 10, file.size))
        if let kind = EvalLogHead(head).kind, let format = all.first(where: { $0.kind == kind }) {
            return try format.open(path, isCancelled: isCancelled)
        }
        if let compression = ForeignFormat.compression(head) {
            throw EvalLogError(
                path: path, problem: "the file is compressed with \(compression)", remedy: "Decompress it first.")
        }
        let importer = head.withUnsafeBufferPointer { head in TraceFormats.all.first { $0.recognizes(head) } }
        if let importer {
            throw EvalLogError(
                path: path, problem: "the file is a trace (\(importer.format)), not an evaluation log",
                remedy: "Import it with: orrery trace import.")
        }
        throw EvalLogError(
            path: path, problem: head.withUnsafeBufferPointer { ForeignFormat.problem($0) },
            remedy: "Supported logs: Orrery, Inspect, lm-eval, promptfoo, garak, and OpenAI evals.")
    }

    /// Returns the name of a format in sentences, such as `an Inspect log`; an unknown format's identifier is unchanged.
    public static func title(of format: String) -> String {
        all.first { $0.format == format }?.title ?? format
    }

    /// Whether a file with these first bytes is one of them.
    public static func recognizes(_ head: [UInt8]) -> Bool { EvalLogHead(head).kind != nil }
}
