/// A kind of evaluation log: how to recognize one, and how to open it.
public protocol EvalLogFormat: Sendable {
    /// `inspect`, `lm-eval`, `promptfoo`, `garak`, `openai-evals`.
    static var format: String { get }
    /// Name in sentences, such as `an Inspect log`.
    static var title: String { get }
    /// Returns whether a file has this format, judging only by its first bytes (at most 64 KiB), not by its name.
    static func recognizes(_ head: EvalLogHead) -> Bool
    /// The runs that a file holds.
    static func open(_ path: String, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [any EvalLog]
}

/// The beginning of a file.
public struct EvalLogHead: Sendable {
    public var bytes: [UInt8]
    /// The keys of its first JSON objects.
    package let probe: FormatProbe

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        probe = bytes.withUnsafeBufferPointer {
            FormatProbe(UnsafeBufferPointer(rebasing: $0.prefix(64 << 10)), most: 20)
        }
    }

    package var first: FormatProbe.Object? { probe.objects.first }
}
