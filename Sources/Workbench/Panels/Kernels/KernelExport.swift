internal import Console
internal import Formatting
internal import JSON
internal import KernelLab
internal import Kernels
internal import Traces

/// The figures that the panel shows, to take along as Markdown or JSON.
struct KernelExport: Sendable {
    var shown: KernelPage.Shown

    init(_ shown: KernelPage.Shown) { self.shown = shown }

    /// Writes a file in the format of its suffix; an existing file is not overwritten.
    ///
    /// - Returns: A sentence.
    func write(to path: String) throws -> String {
        let text = path.hasSuffix(".json") ? json : markdown
        try ExportFile.write(path, replacing: false) { try $0(text) }
        return "written to \(path)"
    }

    var markdown: String {
        switch shown {
        case .kernel(let open): return ladder(open)
        case .profile(let open): return open.comparison.map(comparison) ?? launches(open)
        }
    }

    var json: String {
        switch shown {
        case .kernel(let open): return rungs(open)
        case .profile(let open): return open.comparison?.json(.pretty) ?? open.profile.json(.pretty)
        }
    }

    private func ladder(_ open: OpenKernel) -> String {
        var lines = ["## \(open.title), \(open.shape)", ""]
        if let roofline = open.roofline { lines += ["\(roofline.title), \(roofline.source)", ""] }
        lines += ["| variant | rate | of the roof | vs. library |", "|---|---:|---:|---:|"]
        for (index, rung) in open.ladder.rungs.enumerated() {
            guard let figures = open.ladder.figures(index) else {
                lines.append("| \(rung.name) | | | |")
                continue
            }
            let rate =
                open.isStreaming
                ? Format.rate(bytesPerSecond: figures.bandwidth)
                : Format.rate(operationsPerSecond: figures.rate, isFloatingPoint: open.arithmetic.isFloatingPoint)
            let name = rung.isOutdated ? "\(rung.name) (older version)" : rung.name
            lines.append(
                "| \(name) | \(rate) | \(FigureText.share(figures.share)) | "
                    + (figures.toLibrary.map { Format.fixed($0, digits: 2) + "×" } ?? "") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func rungs(_ open: OpenKernel) -> String {
        var json = JSONWriter(style: .pretty)
        json.object {
            $0.member("kernel", open.title)
            $0.member("shape", open.shape)
            $0.member("variants") { json in
                json.array {
                    for (index, rung) in open.ladder.rungs.enumerated() {
                        $0.object {
                            $0.member("name", rung.name)
                            guard let figures = open.ladder.figures(index) else { return }
                            $0.member("rate", figures.rate)
                            $0.member("bytes_per_s", figures.bandwidth)
                            $0.member("intensity", figures.intensity)
                            $0.member("roof", figures.share)
                            $0.member("share_of_roof", ifPresent: figures.share?.median)
                            $0.member("share_of_peak", ifPresent: figures.ofPeak?.median)
                            $0.member("to_library", ifPresent: figures.toLibrary)
                        }
                    }
                }
            }
        }
        return json.text
    }

    /// A name as a cell of a table: what a terminal or Markdown would act on is shown instead.
    private static func code(_ name: String) -> String {
        "`" + Escape.printable(name).map { $0 == "|" ? "\\|" : $0 == "`" ? "'" : String($0) }.joined() + "`"
    }

    private func launches(_ open: OpenProfile) -> String {
        var lines = [
            "## \(open.profile.summary.title)", "", "| # | kernel | time | rate | limit |", "|---:|---|---:|---:|---|",
        ]
        for row in open.rows.rows {
            let launch = open.profile.launches[row.id]
            let standing = open.roofline(of: launch).flatMap(launch.standing).map(FigureText.standing) ?? ""
            lines.append(
                "| \(launch.ordinal + 1) | \(Self.code(launch.name)) | \(launch.duration.map(Format.time(seconds:)) ?? "") | "
                    + "\(FigureText.rate(launch.rate)) | \(standing) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func comparison(_ comparison: ProfileComparison) -> String {
        var lines = ["## Before and after", "", "| kernel | before | after | speedup |", "|---|---:|---:|---:|"]
        for change in comparison.kernels {
            lines.append(
                "| \(Self.code(change.name)) | \(Format.time(seconds: change.secondsBefore)) | \(Format.time(seconds: change.secondsAfter)) | "
                    + (change.speedup.map { Format.fixed($0, digits: 2) + "×" } ?? "") + " |")
        }
        return (lines + [""] + comparison.sentences).joined(separator: "\n") + "\n"
    }
}
