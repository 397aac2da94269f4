import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import Tensors
import Tokenizers

extension AttentionCommand {
    struct Attribute: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "attribute",
            abstract: "Attribute a logit or a logit difference to components, heads, or neurons.",
            discussion: """
                Direct logit attribution: the contribution of each part to the stream, through the final norm with its \
                scale fixed, times the token's column of the output matrix. The contributions add up to the logit, and \
                their sum is printed for comparison.
                """)

        @OptionGroup var model: ModelFileArgument
        @OptionGroup var text: PromptOptions

        @OptionGroup var answers: AnswerOptions

        @Option(parsing: .unconditional, help: "Token position from 0; negative counts from the end.")
        var position = -1

        @Option(help: "Unit of attribution: components, heads, or neurons.")
        var by = "heads"

        @Option(name: [.customShort("n"), .long], help: "Number of parts to print.")
        var top = 16

        @Flag(help: "Compute in float64.")
        var double = false

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard AttributionGrain(word: by) != nil else {
                throw ValidationError("--by must be components, heads, or neurons.")
            }
            guard (1...10_000).contains(top) else { throw ValidationError("--top must be 1 to 10000.") }
        }

        func result(in options: JSONOption) throws -> Report<AttributionReport> {
            let opened = try OpenedCheckpoint(path: try model.path())
            let sum =
                double
                ? try attribute(try opened.hooked(Double.self), opened)
                : try attribute(try opened.hooked(Float.self), opened)
            let report = AttributionReport(sum: sum, text: opened.text, top: top)
            return Report(report, notes: [report.check]) { report.table }
        }

        private func attribute<S>(_ hooked: HookedTransformer<S>, _ opened: OpenedCheckpoint) throws -> AttributionSum {
            let tokens = try opened.prompt(try text.text())
            let place = try TextPosition.resolve(position, of: tokens.count)
            let grain = AttributionGrain(word: by) ?? .heads
            let cache = try hooked.run(tokens, keeping: .only(grain.hooks(among: hooked.hooks)))
            let first = try answers.answer.map { try opened.token($0) } ?? cache[.logits].best(inRow: place)
            let target: LogitTarget =
                try answers.wrong.map { .difference(first, try opened.token($0)) } ?? .token(first)
            return try cache.attribution(
                of: target, at: place, by: grain, readout: try hooked.readout(),
                weights: WritingWeights(hooked.weights, isSandwich: hooked.configuration.isSandwich))
        }
    }
}

extension AttributionGrain {
    init?(word: String) {
        switch word {
        case "components": self = .components
        case "heads": self = .heads
        case "neurons": self = .neurons
        default: return nil
        }
    }
}

extension Tensor where Scalar: FloatingAccumulator {
    /// Returns the index of a row's largest value.
    func best(inRow row: Int) throws -> TokenID {
        let numbers = try self[row].elements
        return TokenID(numbers.indices.max { numbers[$0] < numbers[$1] } ?? 0)
    }
}

/// Contributions to a logit, as text and JSON.
struct AttributionReport: JSONRepresentable {
    let sum: AttributionSum
    let text: (TokenID) -> String
    let top: Int

    private var subject: String {
        switch sum.target {
        case .token(let token): "logit of \"\(text(token))\""
        case .difference(let first, let second): "logit of \"\(text(first))\" minus logit of \"\(text(second))\""
        }
    }

    var table: String {
        var table = TextTable(["part", "contribution"], rightAligned: [1])
        for term in sum.top(top) { table.add([term.part.label, Format.fixed(term.value, digits: 4)]) }
        table.add(["sum", Format.fixed(sum.sum, digits: 4)])
        table.add([subject, Format.fixed(sum.logit, digits: 4)])
        return table.text
    }

    var check: String {
        "the sum differs from the logit by \(Format.compact(abs(sum.error))) "
            + "(\(Format.compact(abs(sum.relativeError))) times the total of all contributions)"
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("subject", subject)
            json.member("position", sum.position)
            json.objects("parts", of: sum.terms) { term, json in
                json.member("part", term.part.label)
                json.member("value", term.value)
            }
            json.member("sum", sum.sum)
            json.member("logit", sum.logit)
            json.member("error", sum.error)
        }
    }
}
