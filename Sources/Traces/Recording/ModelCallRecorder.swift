internal import Glibc
public import LanguageModels
internal import Synchronization
public import Workspace

/// Keeps every call of a model as a span: the calls of one conversation are one run of the trace panel.
///
/// A call becomes an OTLP document that goes through the importer, so that there is one way by which spans come in. A
/// call that cannot be kept costs nobody the answer: `problem` says why.
public final class ModelCallRecorder: SpanSink {
    private let store: TraceStore
    private let conversation: String
    private let failure = Mutex<String?>(nil)

    /// - Parameter conversation: calls with the same word are one run.
    public init(_ workspace: Workspace, conversation: String) {
        store = TraceStore(workspace)
        self.conversation = conversation
    }

    /// Why the last call was not kept; nil where it was.
    public var problem: String? { failure.withLock { $0 } }

    public func record(_ call: ModelCall) {
        do {
            try keep(call)
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = "\(error)" }
        }
    }

    private func keep(_ call: ModelCall) throws {
        let trace = Self.hexadecimal(Digest.of(conversation)) + Self.hexadecimal(Digest.of(conversation + " calls"))
        let span = Self.hexadecimal(UInt64(bitPattern: call.start) &* 0x9E37_79B9_7F4A_7C15 | 1)
        let document = call.otlp(trace: trace, span: span, conversation: conversation)
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let path = "\(folder)/orrery-call-\(span).json"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
        defer { unlink(path) }
        var rest = document[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                throw Failure(path: path, code: code)
            }
            rest = rest.dropFirst(count)
        }
        close(descriptor)
        try store.importTraces([path])
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private struct Failure: Error, CustomStringConvertible {
        var path: String
        var code: Int32
        var description: String { "\(path): \(String(cString: strerror(code)))." }
    }
}
