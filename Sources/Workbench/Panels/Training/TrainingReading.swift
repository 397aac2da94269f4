internal import Console
internal import Formatting
internal import KernelLab
internal import Presentation
internal import Training
internal import TrainingLab

/// Content of the text pane for a run.
struct TrainingReading {
    var run: OpenTrainingRun
    var now: Int64
    /// Problem that stops following the log.
    var fault: String?

    init(_ run: OpenTrainingRun, now: Int64, fault: String? = nil) {
        self.fault = fault
        self.run = run
        self.now = now
    }

    func sections(_ view: TrainingPage.View) -> [TextSection] {
        switch view {
        case .overview: about + figures.map { TextSection(Self.line($0), hang: Self.nameColumns) }
        case .samples: samples
        case .events: events
        case .configuration: configuration
        }
    }

    var markdown: String {
        (["## \(Self.cell(run.summary.name))", "", "| | |", "|---|---|"]
            + figures.map { "| \(Self.cell($0.name)) | \(Self.cell($0.value)) |" })
            .joined(separator: "\n") + "\n"
    }

    /// Returns a text for a cell of a Markdown table: control characters are escaped, and `|` and backquotes are
    /// replaced.
    private static func cell(_ text: String) -> String {
        Escape.printable(text).map { $0 == "|" ? "\\|" : $0 == "`" ? "'" : String($0) }.joined()
    }

    private typealias Figure = (name: String, value: String, role: Role)

    // MARK: Overview

    private var figures: [Figure] { standing + losses + pace + origin }

    /// Figures that another program's run reports about itself.
    private var about: [TextSection] {
        guard run.summary.isForeign, !run.summary.note.isEmpty else { return [] }
        return [TextSection(run.summary.note, role: .strong), TextSection("")]
    }

    private var standing: [Figure] {
        let summary = run.summary
        var figures: [Figure] = [("state", summary.state.word, summary.state.role)]
        if summary.state == .idle { figures.append(("", "the log has stopped growing", .dim)) }
        if !summary.isForeign, !summary.note.isEmpty { figures.append(("message", summary.note, .text)) }
        if !run.pending.isEmpty {
            let orders = run.pending.map(\.sentence).joined(separator: ", then ")
            figures.append(
                ("requested", summary.isAlive ? orders : orders + ", but no process is training this run", .warning))
        }
        if let fault { figures.append(("log error", fault, .warning)) }
        figures.append(("step", steps, .text))
        if let left { figures.append(("left", left, .text)) }
        return figures
    }

    private var losses: [Figure] {
        var figures: [Figure] = []
        for name in OpenTrainingRun.losses(of: run.series) {
            guard let last = run.last(name) else { continue }
            let least = run.least.first { $0.series == name }
            let isLeast = least?.value == last
            figures.append(
                (
                    name, Format.loss(last) + (isLeast ? "   lowest so far" : ""),
                    last.isFinite ? .strong : .failure
                ))
            if let least, !isLeast {
                figures.append(
                    ("  lowest", "\(Format.loss(least.value)) at step \(Format.count(least.step))", .text))
            }
        }
        // If no curve is a loss, show the first few curves instead.
        if figures.isEmpty {
            figures = run.summary.last.prefix(6).map { ($0.series, Format.loss($0.value), .text) }
        }
        return figures
    }

    private var pace: [Figure] {
        let summary = run.summary
        var figures: [Figure] = []
        if let rate = run.last(RunSeries.learningRate) {
            figures.append(("learning rate", Format.compact(rate), .text))
        }
        if let norm = run.last(RunSeries.gradientNorm) {
            figures.append(("gradient norm", Format.norm(norm), norm.isFinite ? .text : .failure))
        }
        if let speed = run.last(RunSeries.speed) {
            let remark = summary.unit.isEmpty ? "   unit not recorded" : ""
            figures.append(("speed", Format.rate(speed, summary.unit) + remark, .text))
        }
        if let arithmetic = run.arithmetic {
            figures.append(("arithmetic", arithmetic.text, .text))
            figures.append(("of the roof", arithmetic.shareText, FigureText.role(arithmetic.share)))
            figures += (arithmetic.share.map(FigureText.remarks) ?? []).map { ("", $0, .warning) }
        } else if run.summary.isForeign, let flops = run.last(RunSeries.flops) {
            figures.append(("arithmetic", Format.rate(operationsPerSecond: flops), .text))
        }
        return figures
    }

    private var origin: [Figure] {
        let summary = run.summary
        var figures: [Figure] = []
        if summary.parameters > 0 { figures.append(("parameters", Format.count(summary.parameters), .text)) }
        if summary.batch > 0 { figures.append(("per step", "\(Format.count(summary.batch)) \(summary.unit)", .text)) }
        if let started = summary.started {
            figures.append(("started", Format.timestamp(Int(started / 1_000_000_000)), .dim))
        } else {
            figures.append(("started", "not recorded", .dim))
            figures.append(("log changed", Format.timestamp(Int(summary.changed / 1_000_000_000)), .dim))
        }
        if let description = run.description, !summary.isForeign {
            figures.append(("seed", "\(description.seed)", .dim))
            if !description.version.isEmpty { figures.append(("version", description.version, .dim)) }
        }
        if run.layers.layers.isEmpty {
            figures.append(("layers", LayerFigure.nothing(isForeign: summary.isForeign), .dim))
        }
        if let folder = summary.folder { figures.append(("folder", folder, .dim)) }
        if let source = summary.source { figures.append(("log", source, .dim)) }
        return figures
    }

    private var steps: String {
        let summary = run.summary
        let steps = Format.count(summary.step, of: summary.steps)
        return summary.share.map { "\(steps)   \(Format.progress($0))" } ?? steps
    }

    /// Remaining time at the current speed.
    private var left: String? {
        let summary = run.summary
        guard summary.state == .running, let steps = summary.steps, let speed = run.last(RunSeries.speed), speed > 0,
            summary.batch > 0, steps > summary.step
        else { return nil }
        let seconds = Double(steps - summary.step) * Double(summary.batch) / speed
        return seconds < 1e8 ? "about " + Format.duration(seconds: seconds) : nil
    }

    private static let nameColumns = 17

    private static func line(_ figure: Figure) -> StyledLine {
        let name = figure.name.truncated(toColumns: nameColumns - 1).padding(to: nameColumns)
        return StyledLine([.init(name, .dim), .init(figure.value, figure.role)])
    }

    // MARK: Samples, events, configuration

    private var samples: [TextSection] {
        guard !run.samples.isEmpty else {
            let reason =
                run.summary.isForeign ? "the log has no samples" : "no samples: set [evaluation] prompts to record them"
            return [TextSection(StyledLine(reason, .dim))]
        }
        // The newest sample comes first, because it matters most.
        return run.samples.flatMap { sample in
            [TextSection(StyledLine("step \(Format.count(sample.step))", .heading))]
                + (sample.prompt.isEmpty ? [] : [TextSection(sample.prompt, role: .dim)])
                + [TextSection(sample.text), TextSection("")]
        }
    }

    private var events: [TextSection] {
        guard !run.events.isEmpty else { return [TextSection(StyledLine("no events recorded", .dim))] }
        return run.events.map { event in
            let time = Format.clock(Int(event.time / 1_000_000_000), now: Int(now / 1_000_000_000))
            return TextSection(
                StyledLine([
                    .init(time.padding(to: 12), .dim), .init("step \(Format.count(event.step))".padding(to: 14), .dim),
                    .init(event.kind.word.padding(to: 12), event.kind.role), .init(event.text),
                ]))
        }
    }

    private var configuration: [TextSection] {
        guard let text = run.description?.configuration, !text.isEmpty else {
            return [TextSection(StyledLine("configuration not recorded", .dim))]
        }
        return [TextSection(text, language: Language(path: "configuration.toml"))]
    }
}

extension RunOrder {
    /// Description of the request, as shown in the overview.
    var sentence: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .stop: "stop"
        case .scaleLearningRate(let factor): "scale the schedule's rate by \(Format.compact(factor))"
        case .checkpoint: "write a checkpoint"
        }
    }
}

extension RunEvent.Kind {
    var word: String {
        switch self {
        case .started: "started"
        case .resumed: "resumed"
        case .checkpoint: "checkpoint"
        case .paused: "paused"
        case .continued: "continued"
        case .rateChanged: "rate"
        case .warning: "warning"
        case .diverged: "diverged"
        case .stopped: "stopped"
        case .finished: "finished"
        case .failed: "failed"
        }
    }

    var role: Role {
        switch self {
        case .warning, .paused: .warning
        case .diverged, .failed: .failure
        case .finished: .success
        default: .text
        }
    }
}
