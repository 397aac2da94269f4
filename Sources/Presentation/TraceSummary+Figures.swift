internal import Formatting
internal import LanguageModels
public import Traces

extension TraceSummary {
    /// Tokens read and written, such as `12.1k`; a dot if none were recorded.
    public var tokenFigure: String { usage.total == 0 ? "·" : Format.compact(usage.total) }

    /// Cost of the run, with a plus if some calls have no known price; a dot if none has one.
    public var costFigure: String { cost.map { Format.money($0) + (unpriced > 0 ? "+" : "") } ?? "·" }
}

extension TraceCensus {
    /// Returns the runs of other origins in words, such as `5 chats` or `1 retrieval and 2 evals`; `nil` if there are
    /// none.
    public func phrase(besides origins: Set<TraceOrigin>?) -> String? {
        let parts = TraceOrigin.allCases.compactMap { origin -> String? in
            guard let origins, !origins.contains(origin), let count = counts[origin], count > 0 else { return nil }
            return "\(Format.count(count)) \(count == 1 ? origin.name : origin.plural)"
        }
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
