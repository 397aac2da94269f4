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
        try self.init(try PipelineValues(text, path: path))
    }

    /// Returns the effective value in TOML form; `nil` if the index or the model sets it.
    public func value(_ key: String) -> String? { PipelineValues(said: said, path: path)[key]?.toml }

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
        var values = PipelineValues(said: said, path: path)
        for (key, value) in changes { try values.set(key, written: value) }
        return try PipelineDefinition(values)
    }

    /// Returns the settings that differ from another pipeline, in file order.
    public func changes(from other: PipelineDefinition) -> [Remedy.Change] {
        let (own, old) = (PipelineValues(said: said, path: path), PipelineValues(said: other.said, path: path))
        var changes: [Remedy.Change] = []
        for section in Self.sections {
            let stages = own.stages(of: section)
            for stage in stages + old.stages(of: section).filter({ !stages.contains($0) }) {
                for key in PipelineKey.all where key.section == section {
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
        for section in Self.sections {
            for stage in PipelineValues(said: said, path: path).stages(of: section) {
                let keys = PipelineKey.all.filter { $0.section == section && said["\(stage).\($0.word)"] != nil }
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
        var lines = [
            "# A pipeline turns a question into passages and an answer. All keys are optional.",
            "# [lexical.NAME] and [dense.NAME] add stages. Their keys default to those of [lexical] and [dense].",
        ]
        for section in sections {
            lines += ["", "[\(section)]"]
            for key in PipelineKey.all where key.section == section {
                if case .choice(let names) = key.kind {
                    lines.append("# \(key.word): \(names.joined(separator: ", "))")
                }
                var line = key.standard.map { "\(key.word) = \($0.toml)" } ?? "# \(key.word) ="
                line += String(repeating: " ", count: max(1, 28 - line.count)) + "# \(key.summary)"
                lines.append(line + (key.standard == nil ? " (default: set by the index)" : ""))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Equal for pipelines that do the same, whatever they are called and however their files say it.
    public var digest: UInt64 {
        let values = PipelineValues(said: said, path: path)
        var text = ""
        for section in Self.sections where section != "pipeline" {
            for stage in values.stages(of: section) {
                for key in PipelineKey.all where key.section == section {
                    let name = "\(stage).\(key.word)"
                    text += "\(name)=\(values[name]?.toml ?? "")\n"
                }
            }
        }
        return Digest.of(text)
    }

    private static var sections: [String] {
        PipelineKey.all.map(\.section).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
