internal import LanguageModels

/// How many bytes of text one token stands for, measured on the trace itself.
///
/// Most logs say how many tokens a call read, none says how many each message was. From one call to the next of the
/// same conversation the input grows by what was added in between, so the ratio of the added bytes to the added tokens,
/// summed over the trace, prices the text of exactly this model and language; what the first call read beyond its text
/// (system prompt, tool definitions) drops out of the difference.
public struct TokenDensity: Hashable, Sendable {
    /// Bytes of UTF-8 a token.
    public var bytesPerToken: Double
    /// The pairs of calls it was measured on; 0 where it is the usual figure for English and code.
    public var samples: Int

    /// The usual figure for English and code, where a trace is too short to measure its own.
    public static let usual = TokenDensity(bytesPerToken: 4, samples: 0)
    /// With fewer pairs than this the figure would be chance.
    static let fewestSamples = 3

    init(bytesPerToken: Double, samples: Int) {
        self.bytesPerToken = bytesPerToken
        self.samples = samples
    }

    /// Measures a trace. Pairs whose conversation was compacted or cut in between are left out. O(messages).
    init(fitting trace: Trace, steps: [Int], earlierCall: [Int32]) {
        var bytes = 0
        var tokens = 0
        var samples = 0
        for (step, earlier) in earlierCall.enumerated() where earlier >= 0 {
            let call = trace.spans[steps[step]]
            let before = trace.spans[steps[Int(earlier)]]
            guard call.kind == .model, let usage = call.usage, let usageBefore = before.usage else { continue }
            let grown = usage.input - usageBefore.input
            guard grown > 0, let added = Self.bytes(of: trace, from: before.inputHead, to: call.inputHead), added > 0
            else { continue }
            bytes += added
            tokens += grown
            samples += 1
        }
        guard samples >= Self.fewestSamples, tokens > 0 else {
            self = .usual
            return
        }
        self.init(bytesPerToken: min(12, max(1, Double(bytes) / Double(tokens))), samples: samples)
    }

    /// Bytes of the messages after one up to another; nil where the first is not on the way back from the second.
    private static func bytes(of trace: Trace, from first: Int?, to last: Int?) -> Int? {
        guard let first, let last else { return nil }
        var bytes = 0
        var next: Int? = last
        while let ordinal = next, ordinal > first {
            bytes += trace.messages[ordinal].extent.bytes
            next = trace.messages[ordinal].previous
        }
        return next == first ? bytes : nil
    }
}

extension MessageEntry.Extent {
    /// Bytes of text of every sort.
    public var bytes: Int { text + reasoning + toolCalls + toolResults + toolDefinitions }
}
