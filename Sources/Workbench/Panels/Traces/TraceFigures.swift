internal import Console
internal import LanguageModels
public import Traces

/// Formats the figures of runs and spans everywhere: lists, borders, documents, and the command line.
public enum TraceFigures {
    /// Formats the number of model and tool calls.
    public static func steps(of run: TraceSummary) -> String { Format.count(run.steps) }

    /// Formats the tokens read and written; a dot if none were recorded.
    public static func tokens(of run: TraceSummary) -> String {
        run.usage.total == 0 ? "·" : Format.compact(run.usage.total)
    }

    /// Formats the cost of a run, with a plus if some calls have no known price, or a dot if none has one.
    public static func cost(of run: TraceSummary) -> String {
        run.cost.map { Format.money($0) + (run.unpriced > 0 ? "+" : "") } ?? "·"
    }

    public static func duration(of run: TraceSummary) -> String { duration(run.duration) }

    /// Formats a duration in nanoseconds.
    public static func duration(_ nanoseconds: Int64) -> String { Format.duration(nanoseconds: Int(nanoseconds)) }

    /// Formats a share of a context's tokens.
    public static func share(_ tokens: Int, of total: Int) -> String {
        Format.percent(total > 0 ? Double(tokens) / Double(total) : 0)
    }

    /// Formatters for exported documents.
    public static let export = TraceExport.Figures(
        count: { Format.count($0) }, duration: { duration($0) }, money: { Format.money($0) })
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
