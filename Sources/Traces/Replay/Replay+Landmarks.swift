internal import LanguageModels

extension Replay {
    /// What to look for from one step to the next.
    public enum Landmark: CaseIterable, Sendable {
        case any, error, tool, model, compaction
    }

    /// Returns the nearest landmark after a step; `nil` if there is none. Before the first step is -1.
    public func next(_ landmark: Landmark, after step: Int) -> Int? {
        if landmark == .compaction { return compactions.first { $0 > step } }
        guard step < count else { return nil }
        return (max(-1, step) + 1..<count).first { matches($0, landmark) }
    }

    /// Returns the nearest landmark before a step; `nil` if there is none. After the last step is `count`.
    public func previous(_ landmark: Landmark, before step: Int) -> Int? {
        if landmark == .compaction { return compactions.last { $0 < step } }
        return (0..<max(0, min(step, count))).last { matches($0, landmark) }
    }

    private func matches(_ step: Int, _ landmark: Landmark) -> Bool {
        let span = steps[step]
        return switch landmark {
        case .any, .compaction: true
        case .error: outline.failed[span]
        case .tool: outline.kind[span] == .tool
        case .model: outline.kind[span] == .model
        }
    }

    /// Where a conversation goes on after a compaction: the calls that first read its summary, and for compactions
    /// without one the first model call after the moment. O(messages + events log events).
    static func compactions(
        of trace: Trace, _ steps: Steps, _ outline: SpanOutline, read: [Int]
    ) -> [Int] {
        let events = trace.events.lazy.filter { $0.kind == .compaction }.map(\.time).sorted()
        if events.isEmpty { return read }
        let summaries = trace.messages.lazy.filter { $0.marks.contains(.compaction) }.map(\.time).sorted()
        var nextCall = [Int](repeating: steps.spans.count, count: steps.spans.count + 1)
        for step in steps.spans.indices.reversed() {
            nextCall[step] = outline.kind[steps.spans[step]] == .model ? step : nextCall[step + 1]
        }
        var found = Set(read)
        var summary = 0
        for (index, event) in events.enumerated() {
            // A summary is written with its event; clocks of two processes may differ by a little.
            while summary < summaries.count, summaries[summary] < event &- 1_000_000_000 { summary += 1 }
            let end = index + 1 < events.count ? events[index + 1] : .max
            if summary < summaries.count, summaries[summary] < end { continue }
            let call = nextCall[steps.first(from: event, in: outline)]
            if call < steps.spans.count { found.insert(call) }
        }
        return found.sorted()
    }
}
