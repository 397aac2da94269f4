internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import LanguageModels

/// The text of a sample: input, answer, target, and explanations of the scores.
struct SampleReading {
    var sample: EvalSampleRecord
    var scores: [EvalScoreKind]

    /// Longer texts are truncated with a note.
    private static let mostBytes = 200_000

    var sections: [TextSection] {
        judgement + prompt + answer + targets + words + metadata
    }

    /// Sections for a rater before the verdict, without scores and other ratings.
    var blindSections: [TextSection] {
        var head = StyledLine(sample.row.id, .strong)
        if sample.row.epoch > 1 { head.append("  epoch \(sample.row.epoch)", .dim) }
        if sample.row.outcome == .error { head.append("  \(sample.row.problem ?? "ended in an error")", .warning) }
        return [TextSection(head), Self.gap] + prompt + answer + targets
    }

    /// Sections for a side of a comparison.
    var briefSections: [TextSection] { judgement + answer + targets + steps + words }

    private static func heading(_ text: String, _ detail: String = "", _ role: Console.Role = .heading) -> TextSection {
        var line = StyledLine(text, role)
        if !detail.isEmpty { line.append("  " + detail, .dim) }
        return TextSection(line)
    }

    private static func body(_ text: String, role: Console.Role = .text) -> TextSection {
        guard text.utf8.count > mostBytes else {
            return TextSection(text, language: Language(guessing: text), role: role)
        }
        let cut = String(decoding: Array(text.utf8.prefix(mostBytes)), as: UTF8.self)
        return TextSection(cut + "\n… \(Format.bytes(text.utf8.count)) in total: the rest is in the trace", role: role)
    }

    private static let gap = TextSection("")

    // MARK: Parts

    private var judgement: [TextSection] {
        let row = sample.row
        let outcome = EvalFigure.outcome(row.outcome)
        var head = StyledLine(outcome.word, outcome.role, .bold)
        head.append("  \(row.id)", .strong)
        if row.epoch > 1 { head.append("  epoch \(row.epoch)", .dim) }
        for figure in [
            EvalFigure.seconds(row.seconds), row.tokens.map { "\(Format.compact($0)) total tokens" } ?? "",
            row.cost.map(Format.money) ?? "", row.wasCached ? "answer from the cache" : "",
            row.cluster.map { "cluster \($0)" } ?? "",
        ] where !figure.isEmpty {
            head.append("  \(figure)", .dim)
        }
        var sections = [TextSection(head)]
        if let problem = row.problem { sections.append(TextSection(problem, role: .failure)) }
        for score in sample.scores { sections += lines(of: score) }
        if sample.scores.isEmpty, row.outcome != .error {
            sections.append(TextSection(StyledLine("the log has no score for this sample", .dim)))
        }
        return sections + [Self.gap]
    }

    private func lines(of score: EvalScore) -> [TextSection] {
        let kind = scores.first { $0.name == score.name }
        let passes = score.value.flatMap { value in kind.flatMap { $0.hasThreshold ? $0.passes(value) : nil } }
        var line = StyledLine(score.name + "  ", .dim)
        if let value = score.value {
            line.append(Format.score(value), passes == false ? .failure : passes == true ? .success : .strong)
        } else {
            line.append("no value", .warning)
        }
        if let label = score.label { line.append("  \(label)", .strong) }
        if let confidence = score.confidence { line.append("  \(Format.share(confidence)) sure", .dim) }
        if let answer = score.answer, answer != sample.answer {
            line.append("  read as \(answer.truncated(toColumns: 60))", .dim)
        }
        var sections = [TextSection(line)]
        if let problem = score.problem { sections.append(TextSection("  " + problem, role: .warning)) }
        return sections
    }

    private var prompt: [TextSection] {
        guard !sample.messages.isEmpty else {
            let input = sample.input.isEmpty ? sample.row.input : sample.input
            return [Self.heading("input"), Self.body(input), Self.gap]
        }
        // The last message of the model is the answer, shown below.
        var messages = sample.messages[...]
        if messages.last?.role == .assistant { messages = messages.dropLast() }
        return messages.flatMap { message -> [TextSection] in
            [Self.heading(message.role.name, "", message.role == .user ? .heading : .dim)]
                + message.parts.compactMap(Self.part) + [Self.gap]
        }
    }

    private static func part(_ part: Message.Part) -> TextSection? {
        switch part {
        case .text(let text): body(text)
        case .reasoning(let text): text.isEmpty ? nil : body(text, role: .dim)
        case .toolCall(let call):
            TextSection(StyledLine([.init("call \(call.name) ", .function), .init(call.arguments, .dim)]))
        case .toolResult(let result): body(result.content, role: result.isError ? .failure : .dim)
        case .attachment, .other: TextSection(StyledLine("(not text: see the trace)", .dim))
        }
    }

    private var answer: [TextSection] {
        guard let answer = sample.answer else {
            return [
                Self.heading("answer"), TextSection(StyledLine("no answer", .warning)), Self.gap,
            ]
        }
        return [
            Self.heading("answer", "", .accent),
            answer.isEmpty ? TextSection(StyledLine("(empty)", .dim)) : Self.body(answer), Self.gap,
        ]
    }

    private var targets: [TextSection] {
        var sections: [TextSection] = []
        if !sample.choices.isEmpty {
            sections.append(Self.heading("choices"))
            sections += sample.choices.enumerated().map { index, choice in
                TextSection("\(Character(Unicode.Scalar(UInt8(65 + index % 26))))  \(choice)")
            }
            sections.append(Self.gap)
        }
        guard !sample.targets.isEmpty else {
            return sections + [TextSection(StyledLine("no target", .dim)), Self.gap]
        }
        sections.append(
            Self.heading("target", sample.targets.count > 1 ? "any of \(sample.targets.count)" : "", .success))
        return sections + sample.targets.map { Self.body($0) } + [Self.gap]
    }

    /// Explanations of the scores, and the standard error of the user's program.
    private var words: [TextSection] {
        var sections: [TextSection] = []
        for score in sample.scores {
            guard let explanation = score.explanation, !explanation.isEmpty else { continue }
            sections += [Self.heading(score.name, "explanation"), Self.body(explanation), Self.gap]
        }
        if let text = sample.standardError, !text.isEmpty {
            sections += [Self.heading("standard error", "", .warning), Self.body(text, role: .dim), Self.gap]
        }
        return sections
    }

    private var steps: [TextSection] {
        guard !sample.steps.isEmpty else { return [TextSection(StyledLine("no steps were recorded", .dim)), Self.gap] }
        return [Self.heading("steps", Format.count(sample.steps.count))]
            + sample.steps.prefix(200).enumerated().map { index, step in
                let isFailing = index == sample.failingStep
                var line = StyledLine(isFailing ? "▌ " : "  ", .failure)
                line.append("\(index + 1)".padding(leftTo: 3) + "  ", .dim)
                line.append(step.kind.name.padding(to: 10), .dim)
                line.append(step.name, isFailing ? .failure : .text)
                if let problem = step.problem { line.append("  \(problem)", .failure) }
                return TextSection(line)
            } + [Self.gap]
    }

    private var metadata: [TextSection] {
        guard let metadata = sample.metadata, !metadata.isEmpty else { return [] }
        return [Self.heading("other data in the log", "", .dim), TextSection(metadata, language: .json), Self.gap]
    }

    /// The sample as Markdown, for the clipboard.
    var markdown: String {
        let row = sample.row
        var lines = ["## \(Self.printed(row.id)): \(row.outcome.rawValue)", ""]
        for score in sample.scores {
            lines.append("- \(Self.printed(score.name)): \(score.value.map(Format.score) ?? "no value")")
        }
        lines += ["", "### Input", "", Self.printed(sample.input), "", "### Answer", ""]
        lines += [Self.printed(sample.answer ?? "(no answer)"), ""]
        if !sample.targets.isEmpty { lines += ["### Target", ""] + sample.targets.map(Self.printed) + [""] }
        return lines.joined(separator: "\n")
    }

    /// Returns a text with control characters escaped.
    static func printed(_ text: String) -> String { Escape.printable(text, keepingLines: true) }
}
