internal import EvalLogs
package import LanguageModels

/// What was done for a sample, step by step, with the texts that each step read and gave.
package struct SampleSteps: Hashable, Sendable {
    /// Trace with the steps; `nil` if no trace can be created, so the steps come from the sample itself.
    package var trace: Int64?
    package var steps: [Step]

    package struct Step: Hashable, Sendable {
        package var kind: SpanKind
        package var name: String
        package var seconds: Double?
        package var problem: String?
        package var parts: [Part]
        /// Its span in the trace, by ordinal.
        package var span: Int?

        package init(
            kind: SpanKind, name: String, seconds: Double? = nil, problem: String? = nil, parts: [Part] = [],
            span: Int? = nil
        ) {
            self.kind = kind
            self.name = name
            self.seconds = seconds
            self.problem = problem
            self.parts = parts
            self.span = span
        }

        /// Whether another step did the same and got the same; how long it took does not matter.
        func isLike(_ other: Step) -> Bool { problem == other.problem && parts == other.parts }
    }

    /// A text of a step: what was asked, what came back.
    package struct Part: Hashable, Sendable {
        package var title: String
        package var text: String

        package init(_ title: String, _ text: String) {
            self.title = title
            self.text = text
        }
    }

    package init(trace: Int64?, steps: [Step]) {
        self.trace = trace
        self.steps = steps
    }

    /// Where no trace can be made: the steps by name, with the question and the answer at the last call of a model.
    init(_ sample: EvalSampleRecord, model: String) {
        var parts = [Part("input", sample.input.isEmpty ? sample.row.input : sample.input)]
        if let answer = sample.answer { parts.append(Part("answer", answer)) }
        var steps = sample.steps.prefix(Self.most).map {
            Step(kind: $0.kind, name: $0.name, seconds: $0.seconds, problem: $0.problem)
        }
        if steps.isEmpty {
            steps = [Step(kind: .model, name: model, seconds: sample.row.seconds, problem: sample.row.problem)]
        }
        // The last call of a model gave the answer.
        steps[steps.lastIndex { $0.kind == .model } ?? steps.count - 1].parts = parts
        self.init(trace: nil, steps: steps)
    }

    /// More steps than a person compares are left out.
    static let most = 1_000
}
