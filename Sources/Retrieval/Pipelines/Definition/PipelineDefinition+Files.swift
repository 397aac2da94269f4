internal import Configuration
public import System
internal import Traces

extension PipelineDefinition {
    private static let mostBytes = 1 << 20

    /// Reads the text of a file.
    ///
    /// - Parameter path: The file, which need not exist: for sentences, and for the pipeline's name.
    /// - Throws: `Problem` with the line, and what to write instead.
    public init(_ text: String, path: String = "pipeline.toml") throws(Problem) {
        guard text.utf8.count <= Self.mostBytes else {
            throw Problem(.limit, path, "the file is larger than \(Self.mostBytes >> 20) MiB", remedy: "Shorten it.")
        }
        try self.init(try SettingValues(text, path: path, keys: PipelineKeys.all))
    }

    /// Returns the effective value in TOML form; `nil` if the index or the model sets it.
    public func value(_ key: String) -> String? { values[key]?.toml }

    /// Returns the pipeline with one key changed.
    ///
    /// - Parameters:
    ///   - key: Such as `dense.k`, or `dense.wide.k` of a further stage.
    ///   - value: As a file has it, a text with or without its quotes; `nil` takes the key out.
    /// - Throws: `Problem` for a key that there is not, or that takes no such value.
    public func changing(_ key: String, to value: String?) throws(Problem) -> PipelineDefinition {
        try changing([(key, value)])
    }

    /// Returns the pipeline with several keys changed at once.
    public func changing(_ changes: [(key: String, value: String?)]) throws(Problem) -> PipelineDefinition {
        var values = values
        for (key, value) in changes { try values.set(key, written: value) }
        return try PipelineDefinition(values)
    }

    /// Returns the settings that differ from another pipeline, in file order.
    public func changes(from other: PipelineDefinition) -> [Remedy.Change] {
        let (own, old) = (values, other.values)
        var changes: [Remedy.Change] = []
        for section in PipelineKeys.all.sections {
            let stages = own.sections(of: section)
            for stage in stages + old.sections(of: section).filter({ !stages.contains($0) }) {
                for key in PipelineKeys.all.all where key.section == section {
                    let name = "\(stage).\(key.word)"
                    let (after, before) = (own[name]?.toml, old[name]?.toml)
                    if after != before { changes.append(.init(key: name, before: before, after: after ?? "")) }
                }
            }
        }
        return changes
    }

    /// A file that says the same: keys in the order of ``explained``, those alone that were said.
    public var toml: String {
        var lines: [String] = []
        for section in PipelineKeys.all.sections {
            for stage in values.sections(of: section) {
                let keys = PipelineKeys.all.all.filter { $0.section == section && said["\(stage).\($0.word)"] != nil }
                guard !keys.isEmpty else { continue }
                lines += (lines.isEmpty ? [] : [""]) + ["[\(stage)]"]
                lines += keys.compactMap { key in
                    said["\(stage).\(key.word)"].map { "\(key.word) = \($0.toml)" }
                }
            }
        }
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    /// A file with every key, what it does, and what it says unless it is changed.
    public static var explained: String {
        PipelineKeys.all.explained(
            [
                "# A pipeline turns a question into passages and an answer. All keys are optional.",
                "# [lexical.NAME] and [dense.NAME] add stages. Their keys default to those of [lexical] and [dense].",
            ], column: 28, open: " (default: set by the index)")
    }

    /// Equal for pipelines that do the same, whatever they are called and however their files say it.
    public var digest: UInt64 {
        let values = values
        var text = ""
        for section in PipelineKeys.all.sections where section != "pipeline" {
            for stage in values.sections(of: section) {
                for key in PipelineKeys.all.all where key.section == section {
                    let name = "\(stage).\(key.word)"
                    text += "\(name)=\(values[name]?.toml ?? "")\n"
                }
            }
        }
        return Digest.of(text)
    }

    private var values: SettingValues { SettingValues(said: said, path: path, keys: PipelineKeys.all) }
}
