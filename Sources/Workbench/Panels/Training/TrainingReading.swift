internal import Console
internal import Training
internal import TrainingLab

/// What the pane of text says about a run.
struct TrainingReading {
    var run: OpenTrainingRun
    var peaks: [Int: Double]
    var now: Int64

    init(_ run: OpenTrainingRun, peaks: [Int: Double], now: Int64) {
        self.run = run
        self.peaks = peaks
        self.now = now
    }

    func sections(_ view: TrainingPanel.View) -> [TextSection] {
        switch view {
        case .overview: figures.map { TextSection(Self.line($0.name, $0.value, $0.role)) }
        case .samples: samples
        case .events: events
        case .configuration: configuration
        }
    }

    var markdown: String {
        (["## \(run.summary.name)", "", "| | |", "|---|---|"] + figures.map { "| \($0.name) | \($0.value) |" })
            .joined(separator: "\n") + "\n"
    }

    private typealias Figure = (name: String, value: String, role: Role)

    // MARK: Overview

    private var figures: [Figure] {
        let summary = run.summary
        var figures: [Figure] = [("state", summary.state.word, summary.state.role)]
        if !summary.note.isEmpty { figures.append(("", summary.note, .dim)) }
        figures.append(("step", steps, .text))
        if let left { figures.append(("left", left, .text)) }
        for name in [RunSeries.trainLoss, RunSeries.validationLoss] {
            guard let last = run.last(name) else { continue }
            figures.append((name, Self.number(last), last.isFinite ? .text : .failure))
        }
        if let rate = run.last(RunSeries.learningRate) { figures.append(("learning rate", Self.number(rate), .text)) }
        if let norm = run.last(RunSeries.gradientNorm) { figures.append(("gradient norm", Self.number(norm), .text)) }
        if let speed = run.last(RunSeries.speed) {
            figures.append(("speed", Format.rate(speed, summary.unit), .text))
        }
        if let flops = run.last(RunSeries.flops) { figures.append(("arithmetic", arithmetic(flops), .text)) }
        if summary.parameters > 0 { figures.append(("parameters", Format.count(summary.parameters), .text)) }
        if summary.batch > 0 { figures.append(("a step", "\(Format.count(summary.batch)) \(summary.unit)", .text)) }
        if let description = run.description {
            figures.append(("seed", "\(description.seed)", .dim))
            if !description.version.isEmpty { figures.append(("version", description.version, .dim)) }
        }
        if let folder = summary.folder { figures.append(("folder", folder, .dim)) }
        if let source = summary.source { figures.append(("followed from", source, .dim)) }
        return figures
    }

    private var steps: String {
        let summary = run.summary
        guard let steps = summary.steps, steps > 0 else { return Format.count(summary.step) }
        let share = Format.percent(Double(summary.step) / Double(steps), digits: 0)
        return "\(Format.count(summary.step)) of \(Format.count(steps))   \(share)"
    }

    /// How long the rest takes at the speed of now.
    private var left: String? {
        let summary = run.summary
        guard summary.state == .running, let steps = summary.steps, let speed = run.last(RunSeries.speed), speed > 0,
            summary.batch > 0, steps > summary.step
        else { return nil }
        let seconds = Double(steps - summary.step) * Double(summary.batch) / speed
        return seconds < 1e8 ? "about " + Format.duration(nanoseconds: Int(seconds * 1e9)) : nil
    }

    /// The rate of arithmetic and its share of what the machine can do, where that was measured.
    private func arithmetic(_ flops: Double) -> String {
        let rate = "\(AxisLabel.text(flops / 1e9)) GFLOP/s"
        guard run.summary.source == nil else { return rate }
        guard let peak = peaks[run.summary.threads] else {
            return rate + "   share unknown: kernel ceilings measures the roof"
        }
        let threads = run.summary.threads
        return rate + "   \(Format.percent(flops / peak, digits: 0)) of this machine's f32 peak, \(threads) thread"
            + (threads == 1 ? "" : "s")
    }

    private static func number(_ value: Double) -> String { value.isFinite ? AxisLabel.text(value) : "\(value)" }

    private static func line(_ name: String, _ value: String, _ role: Role) -> StyledLine {
        StyledLine([
            .init(name.padding(to: 16), .dim), .init(value, role),
        ])
    }

    // MARK: Samples, events, configuration

    private var samples: [TextSection] {
        guard !run.samples.isEmpty else {
            return [TextSection(StyledLine("no samples: [evaluation] prompts asks for them", .dim))]
        }
        // The newest first: it is what a person wants to see.
        return run.samples.reversed().flatMap { sample in
            [
                TextSection(StyledLine("step \(Format.count(sample.step))", .heading)),
                TextSection(sample.prompt, role: .dim), TextSection(sample.text), TextSection(""),
            ]
        }
    }

    private var events: [TextSection] {
        guard !run.events.isEmpty else { return [TextSection(StyledLine("nothing was noted", .dim))] }
        return run.events.reversed().map { event in
            let time = Format.clock(Int(event.time / 1_000_000_000), now: Int(now / 1_000_000_000))
            return TextSection(
                StyledLine([
                    .init(time.padding(to: 7), .dim), .init("step \(Format.compact(event.step))".padding(to: 12), .dim),
                    .init(event.kind.word.padding(to: 12), event.kind.role), .init(event.text),
                ]))
        }
    }

    private var configuration: [TextSection] {
        guard let text = run.description?.configuration, !text.isEmpty else {
            return [TextSection(StyledLine("its configuration was not recorded", .dim))]
        }
        return [TextSection(text, language: Language(path: "configuration.toml"))]
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

extension String {
    /// Blanks up to a width; at least one where the text is as wide.
    fileprivate func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(1, columns - DisplayWidth.of(self)))
    }
}
