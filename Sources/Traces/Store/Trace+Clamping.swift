import LanguageModels

extension Trace {
    /// Brings what hostile records may claim into a range in which sums cannot overflow: tokens at most 2^48, moments
    /// not before 1970, cost a finite number. Without it one record could stop every list that adds it up.
    mutating func clampNumbers() {
        for i in spans.indices {
            if let usage = spans[i].usage, !usage.isPlausible { spans[i].usage = usage.clamped }
            if spans[i].start < 0 { spans[i].start = 0 }
            if let end = spans[i].end, end < 0 { spans[i].end = 0 }
            if let cost = spans[i].cost, !cost.isFinite { spans[i].cost = nil }
        }
        for i in messages.indices where messages[i].time < 0 { messages[i].time = 0 }
        for i in events.indices where events[i].time < 0 { events[i].time = 0 }
    }
}

extension Usage {
    private static var most: Int { 1 << 48 }

    fileprivate var isPlausible: Bool {
        func fits(_ tokens: Int) -> Bool { tokens >= 0 && tokens <= Self.most }
        return fits(input) && fits(cacheRead) && fits(cacheWrite) && fits(output) && fits(reasoning)
    }

    fileprivate var clamped: Usage {
        func fit(_ tokens: Int) -> Int { min(max(0, tokens), Self.most) }
        return Usage(
            input: fit(input), cacheRead: fit(cacheRead), cacheWrite: fit(cacheWrite), output: fit(output),
            reasoning: fit(reasoning))
    }
}
