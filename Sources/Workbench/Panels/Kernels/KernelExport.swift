internal import Console
internal import Formatting
internal import JSON
internal import KernelLab
internal import Presentation
internal import Tables
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
        let title = "## \(open.title), \(open.shape)\n\n"
        let roof = open.roofline.map { "\($0.title), \($0.source)\n\n" } ?? ""
        return title + roof + variants(open).text(Array(open.ladder.rungs.indices), .markdown)
    }

    private func rungs(_ open: OpenKernel) -> String {
        var json = JSONWriter(style: .pretty)
        json.object {
            $0.member("kernel", open.title)
            $0.member("shape", open.shape)
            $0.member("variants", variants(open).records(Array(open.ladder.rungs.indices)))
        }
        return json.text
    }

    /// The columns of a ladder, for indices of rungs.
    private func variants(_ open: OpenKernel) -> Columns<Int> {
        let rungs = open.ladder.rungs
        func figures(_ index: Int) -> Ladder.Figures? { open.ladder.figures(index) }
        return Columns { table in
            table.text("variant") { rungs[$0].isOutdated ? "\(rungs[$0].name) (older version)" : rungs[$0].name }
            table.member("name") { rungs[$0].name }
            table.text("rate", align: .right) { figures($0).map(open.rate) ?? "" }
            table.text("of the roof", align: .right) { figures($0).map { FigureText.share($0.share) } ?? "" }
            table.text("vs. library", align: .right) { index in
                figures(index)?.toLibrary.map { Format.fixed($0, digits: 2) + "×" } ?? ""
            }
            table.member("rate", ifPresent: { figures($0)?.rate })
            table.member("bytes_per_s", ifPresent: { figures($0)?.bandwidth })
            table.member("intensity", ifPresent: { figures($0)?.intensity })
            table.write { if let figures = figures($0) { $1.member("roof", figures.share) } }
            table.member("share_of_roof", ifPresent: { figures($0)?.share?.median })
            table.member("share_of_peak", ifPresent: { figures($0)?.ofPeak?.median })
            table.member("to_library", ifPresent: { figures($0)?.toLibrary })
        }
    }

    private func launches(_ open: OpenProfile) -> String {
        "## \(open.profile.summary.title)\n\n" + LaunchRow.table.text(open.rows.rows.map(open.launch), .markdown)
    }

    private func comparison(_ comparison: ProfileComparison) -> String {
        "## Before and after\n\n" + ProfileComparison.KernelChange.table.text(comparison.kernels, .markdown)
            + ([""] + comparison.sentences).joined(separator: "\n") + "\n"
    }
}
