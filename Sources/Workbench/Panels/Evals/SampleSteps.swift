internal import EvalLogs
package import LanguageModels

/// The steps of a sample with their input and output.
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
        /// Ordinal of the span in the trace.
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

        /// Returns whether another step has the same texts; times may differ.
        func isLike(_ other: Step) -> Bool { problem == other.problem && parts == other.parts }
    }

    /// A text of a step, such as its input.
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

    /// Creates steps without a trace: the last model call has the input and the answer.
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

    /// Maximum number of compared steps.
    static let most = 1_000
}
