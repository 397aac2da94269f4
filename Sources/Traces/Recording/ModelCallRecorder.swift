internal import Hashing
public import LanguageModels
public import Workspace

/// Keeps every call of a model as a span: the calls of one conversation are one run of the trace panel.
public final class ModelCallRecorder: SpanSink {
    private let keeper: SpanKeeper
    private let conversation: String

    /// - Parameters:
    ///   - conversation: Identifier of the run; calls with the same identifier belong to one run.
    ///   - origin: Origin of the run.
    public init(_ workspace: Workspace, conversation: String, origin: TraceOrigin) {
        keeper = SpanKeeper(workspace, origin: origin)
        self.conversation = conversation
    }

    /// Why the last call was not saved; `nil` if it was.
    public var problem: String? { keeper.problem }

    public func record(_ call: ModelCall) {
        let trace = hexadecimal(Digest.of(conversation)) + hexadecimal(Digest.of(conversation + " calls"))
        let span = hexadecimal(UInt64(bitPattern: call.start) &* SplitMix64.gamma | 1)
        keeper.keep([call.span(span, inTrace: trace, conversation: conversation)])
    }
}
