import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import ModelLab
import Models
import System
import Tokenizers
import Traces

extension AttentionCommand {
    struct Patch: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "patch",
            abstract: "Patch activations of one prompt into a run of another.",
            discussion: """
                Both prompts have the same number of tokens and differ in the subject of the question. The corrupt \
                prompt runs once per activation, with that activation from the clean run. A score of 0 means no \
                change, and 1 means that the answer is fully restored; scores outside 0 to 1 are possible. \
                --attribution estimates all cells with one backward pass.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(help: "Prompt that leads to the answer; @FILE reads a file.")
        var clean: String

        @Option(help: "Prompt of equal length that leads to a different answer.")
        var corrupt: String

        @OptionGroup var answers: AnswerOptions

        @Option(help: "Site: resid-pre, resid-mid, attn-out, mlp-out, z, q, k, v, pattern.")
        var site = "resid-pre"

        @Option(help: "Map axes: layer-position, layer-head, or head-position.")
        var axes: String?

        @Flag(help: "Patch corrupt activations into the clean run instead.")
        var noising = false

        @Flag(help: "Estimate with gradients: two forward passes, one backward pass.")
        var attribution = false

        @Option(help: "File for the map: .csv or .safetensors.", completion: .file())
        var export: String?

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard PatchSite(word: site) != nil else {
                throw ValidationError(
                    "--site must be one of \(PatchSite.allCases.map(\.word).joined(separator: ", ")).")
            }
            guard axes == nil || PatchAxes(word: axes ?? "") != nil else {
                throw ValidationError(
                    "--axes must be one of \(PatchAxes.allCases.map(\.word).joined(separator: ", ")).")
            }
            guard export.map({ $0.hasSuffix(".csv") || $0.hasSuffix(".safetensors") }) ?? true else {
                throw ValidationError("--export requires a file that ends in .csv or .safetensors.")
            }
        }

        func result(in options: JSONOption) throws -> Report<PatchReport> {
            let opened = try OpenedCheckpoint(path: try model.path())
            if let export, ModelPath.exists(export) {
                throw Problem(.invalid, "", "\(export) already exists", remedy: "Choose another file.")
            }
            let (first, second) = (
                try opened.prompt(PromptOptions.text(clean)), try opened.prompt(PromptOptions.text(corrupt))
            )
            let runtime = try opened.runtime()
            let metric = try answers.metric(opened, runtime, clean: first, corrupt: second)
            let place = PatchSite(word: site) ?? .residualPre
            let axes = axes.flatMap(PatchAxes.init(word:)) ?? (place.hasHeads ? .layerByHead : .layerByPosition)
            let map =
                try attribution
                ? estimate(opened, first, second, metric, place, axes)
                : patch(runtime, first, second, metric, place, axes)
            if let export { try Self.write(map, to: export) }
            return PatchReport(map: map).result(
                metric, opened, tokens: axes == .layerByHead ? [] : first.map(opened.text))
        }

        private static func write(_ map: PatchMap, to path: String) throws {
            if path.hasSuffix(".csv") { return try ExportFile.write(path, replacing: false) { try $0(map.csv()) } }
            try map.write(to: path)
        }

        private func patch(
            _ model: RuntimeModel, _ clean: [TokenID], _ corrupt: [TokenID], _ metric: PatchMetric, _ site: PatchSite,
            _ axes: PatchAxes
        ) throws -> PatchMap {
            try MapRun.follow("patching") { progress, isCancelled in
                try ActivationPatching(
                    model, clean: clean, corrupt: corrupt, metric: metric, direction: noising ? .noising : .denoising
                ).map(site, axes, progress: progress, isCancelled: isCancelled)
            }
        }

        private func estimate(
            _ opened: OpenedCheckpoint, _ clean: [TokenID], _ corrupt: [TokenID], _ metric: PatchMetric,
            _ site: PatchSite,
            _ axes: PatchAxes
        ) throws -> PatchMap {
            try AttributionPatching(
                try opened.hooked(Float.self), clean: clean, corrupt: corrupt, metric: metric,
                direction: noising ? .noising : .denoising
            ).map(site, axes)
        }
    }
}

extension PatchSite {
    /// Command-line name: `resid-pre`.
    var word: String { rawValue.replacing("_", with: "-") }

    init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

extension PatchAxes {
    /// Command-line name: `layer-head`.
    var word: String { rawValue.replacing(" by ", with: "-") }

    init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

/// A map of patches, as text and JSON.
struct PatchReport: JSONRepresentable {
    let map: PatchMap

    /// Returns a table; if there are many positions, they become rows and layers become columns.
    ///
    /// - Parameter tokens: Token texts of the columns, if columns are positions.
    func table(_ tokens: [String]) -> String {
        let isTall = map.columns.labels.count > map.rows.labels.count
        let (down, across) = isTall ? (map.columns, map.rows) : (map.rows, map.columns)
        let named = !tokens.isEmpty && isTall
        var table = TextTable(
            ["\(down.name) \\ \(across.name)"] + (named ? ["token"] : []) + across.labels,
            rightAligned: Set((named ? 2 : 1)...(across.labels.count + (named ? 1 : 0))))
        for (row, label) in down.labels.enumerated() {
            let scores = across.labels.indices.map { column in
                isTall ? map[column, row] : map[row, column]
            }
            table.add(
                [label] + (named ? [row < tokens.count ? tokens[row] : ""] : [])
                    + scores.map { $0.isNaN ? "" : Format.fixed($0, digits: 2) })
        }
        return table.text
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("title", map.title)
            json.member("rows", map.rows.labels)
            json.member("columns", map.columns.labels)
            json.member("scores", map.scores)
            json.member("values", map.values)
            json.member("clean", map.clean)
            json.member("corrupt", ifPresent: map.corrupt)
            json.member("metric", map.metric)
            json.member("formula", map.formula)
            json.member("complete", map.isComplete)
        }
    }
}
