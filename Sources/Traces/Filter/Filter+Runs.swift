internal import Configuration
import LanguageModels

extension Filter {
    /// Returns whether a run matches by its own totals, without its spans.
    ///
    /// - Parameter hasText: Returns whether a message of the run contains a text.
    public func matches(run: TraceSummary, hasText: (String) -> Bool = { _ in false }) -> Bool {
        expression.holds { Self.holds($0, run, hasText) }
    }

    private static func holds(
        _ condition: FilterCondition, _ run: TraceSummary, _ hasText: (String) -> Bool
    ) -> Bool {
        switch condition {
        case .kind: false
        case .status(let statuses): statuses.contains(run.errors > 0 ? .error : .ok)
        case .origin(let origins): origins.contains(run.origin)
        case .text(let field, let test, let value): TextQuestion(test, value).holds(text(field, of: run))
        case .count(let field, let comparison, let value): comparison.holds(count(field, of: run), value)
        case .cost(let comparison, let value): run.cost.map { comparison.holds($0, value) } ?? false
        case .duration(let comparison, let value):
            comparison.holds(elapsed(from: run.start, to: run.end), value)
        case .anywhere(let text): Folding.contains(run.name, Folding.folded(text)) || hasText(text)
        case .start(let from, let before): run.start >= from ?? .min && (before == nil || run.start < before!)
        }
    }

    private static func text(_ field: FilterField, of run: TraceSummary) -> String? {
        switch field {
        case .name: run.name
        case .model: run.model
        case .format: run.format
        case .project: run.project
        case .id: run.externalID
        default: nil
        }
    }

    private static func count(_ field: FilterField, of run: TraceSummary) -> Int64 {
        switch field {
        case .tokens: Int64(run.usage.total)
        case .input: Int64(run.usage.input)
        case .output: Int64(run.usage.output)
        case .cached: Int64(run.usage.cacheRead)
        case .errors: Int64(run.errors)
        case .spans: Int64(run.spans)
        case .messages: Int64(run.messages)
        default: 0
        }
    }
}
