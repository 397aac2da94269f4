internal import Console
internal import Formatting
internal import KernelLab
internal import Kernels
internal import Presentation

/// What stands behind a rung: its idea and source, its figures, or how it did before.
struct KernelDetail {
    var open: OpenKernel
    var view: KernelPage.View

    var sections: [TextSection] {
        guard let rung = open.selected else { return [] }
        let fault = open.fault.map { [TextSection($0, role: .failure), TextSection("")] } ?? []
        switch view {
        case .source: return fault + source(rung)
        case .figures: return fault + figures(rung)
        case .history: return fault + history(rung)
        }
    }

    private func source(_ rung: Ladder.Rung) -> [TextSection] {
        var sections = [TextSection(StyledLine(rung.idea, .strong)), TextSection("")]
        let own = open.sources[rung.name] ?? []
        for source in own {
            if own.count > 1 { sections.append(TextSection(StyledLine(source.path, .heading))) }
            sections.append(TextSection(source.text, language: Language(path: source.path)))
        }
        return sections
    }

    private func figures(_ rung: Ladder.Rung) -> [TextSection] {
        var lines = [line("cost", open.cost)]
        switch rung.state {
        case .notYet: lines.append(StyledLine("not measured yet: r measures it", .dim))
        case .refused(let reason, let isFault): lines.append(StyledLine(reason, isFault ? .failure : .dim))
        case .measured(let figures):
            let rate = Format.rate(operationsPerSecond: figures.rate, isFloatingPoint: open.arithmetic.isFloatingPoint)
            let best = Format.rate(
                operationsPerSecond: figures.bestRate, isFloatingPoint: open.arithmetic.isFloatingPoint)
            lines += [
                line("rate", "\(rate) median, \(best) best"),
                line("bytes", Format.rate(bytesPerSecond: figures.bandwidth)),
                line("intensity", "\(Format.compact(figures.intensity)) \(unit)/byte"),
                line("of the roof", of(figures.share, rung), FigureText.role(figures.share)),
            ]
            if let share = figures.ofPeak, share.ceiling != figures.share?.ceiling {
                lines.append(line("of the peak", FigureText.sentence(share), FigureText.role(share)))
            }
            if let library = figures.toLibrary {
                lines.append(line("vs. library", "\(Format.fixed(library, digits: 2))× as fast"))
            }
            if let error = figures.error { lines.append(line("error", error)) }
            lines.append(line("samples", samples(figures)))
            lines += figures.share.map(FigureText.remarks)?.map { StyledLine($0, .warning) } ?? []
        }
        if let drift = open.drift { lines.append(StyledLine(drift, .warning)) }
        if rung.isOutdated { lines.append(StyledLine("from an older version: r measures again", .warning)) }
        if let regression = rung.regression {
            lines.append(StyledLine(regression + "; press r to measure again", .failure))
        }
        if let doubt = open.ladder.doubt { lines.append(StyledLine(doubt, .warning)) }
        if let roofline = open.roofline {
            lines +=
                [StyledLine(""), StyledLine(roofline.title, .strong), StyledLine(roofline.source, .dim)]
                + roofs(roofline)
        }
        return lines.map { TextSection($0) }
    }

    private var unit: String { open.arithmetic.isFloatingPoint ? "FLOP" : "OP" }

    private func roofs(_ roofline: Roofline) -> [StyledLine] {
        let peak = roofline.peak
        let names = 2 + ((roofline.compute.map(\.name) + roofline.memory.map(\.name)).map(DisplayWidth.of).max() ?? 0)
        let compute = roofline.compute.map { roof in
            line(
                roof.name,
                Format.rate(operationsPerSecond: roof.rate, isFloatingPoint: open.arithmetic.isFloatingPoint),
                after: names)
        }
        let memory = roofline.memory.map { roof in
            let ridge = peak > 0 ? ", ridge at \(Format.compact(peak / roof.bandwidth)) \(unit)/byte" : ""
            return line(roof.name, Format.rate(bytesPerSecond: roof.bandwidth) + ridge, after: names)
        }
        return compute + memory
    }

    private func of(_ share: RoofShare?, _ rung: Ladder.Rung) -> String {
        guard let share else {
            return "\(FigureText.notMeasured): c measures the ceilings of \(Format.count(rung.threads, "thread"))"
        }
        return FigureText.sentence(share)
    }

    /// `40, most between 88.7 % and 90.5 %`.
    private func samples(_ figures: Ladder.Figures) -> String {
        let count = Format.count(figures.samples)
        guard let share = figures.share, share.samples > 1 else { return count }
        let ends = [share.low, share.high].map { Format.percent($0, digits: 1) }
        return "\(count), most between \(ends[0]) and \(ends[1])"
    }

    private func line(_ name: String, _ value: String, _ role: Role = .text, after columns: Int = 16) -> StyledLine {
        StyledLine([.init(name.paddedToColumns(columns), .dim), .init(value, role)])
    }

    private func history(_ rung: Ladder.Rung) -> [TextSection] {
        let runs = open.past
        guard !runs.isEmpty else {
            return [TextSection(StyledLine("no earlier runs with these sizes and threads: r starts one", .dim))]
        }
        let width = max(8, runs.map { DisplayWidth.of(FigureText.share($0.roofShare)) }.max() ?? 0)
        let heading =
            "measured".paddedToColumns(18) + "commit".paddedToColumns(10) + "of roof".paddedToColumns(width, .right)
            + "rate".paddedToColumns(15, .right)
        return [TextSection(StyledLine(heading, .columnHeader))]
            + runs.reversed().map { run in
                TextSection(
                    StyledLine([
                        .init(String(Self.timestamp(run.measuredAt).prefix(16)).paddedToColumns(18), .dim),
                        .init((run.commit.map { String($0.prefix(8)) } ?? "").paddedToColumns(10), .dim),
                        .init(
                            FigureText.share(run.roofShare).paddedToColumns(width, .right),
                            FigureText.role(run.roofShare)),
                        .init(open.rate(run.rate, run.bytesPerSecond).paddedToColumns(15, .right), .dim),
                        .init(run.verdict.regression.map { "  " + $0 } ?? "", .failure),
                    ]))
            }
    }

    /// Returns a timestamp such as `2026-11-22 13:04:22`; an invalid time becomes the epoch.
    private static func timestamp(_ seconds: Double) -> String {
        Format.timestamp(Int(exactly: seconds.rounded()) ?? 0)
    }
}
