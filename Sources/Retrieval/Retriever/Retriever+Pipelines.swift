internal import Configuration
public import System

extension Retriever {
    /// Name of the default pipeline: lexical and dense search, fused.
    public static let standardName = "hybrid"

    /// Returns the pipelines by name: those of the workspace, and the standard one.
    public func pipelineNames() throws -> [String] {
        let kept = try store.pipelines().map(\.name)
        return kept.contains(Self.standardName) ? kept : [Self.standardName] + kept
    }

    /// Returns a pipeline of the workspace, or a file of one.
    ///
    /// - Parameter name: `hybrid`, `hybrid@3` for a version, or a path that ends in `.toml`.
    public func pipeline(named name: String) throws -> NamedPipeline {
        if name.hasSuffix(".toml") {
            let definition = try PipelineDefinition(contentsOf: name)
            return NamedPipeline(name: definition.name.isEmpty ? name : definition.name, definition: definition)
        }
        let parts = name.split(separator: "@", maxSplits: 1).map(String.init)
        let version = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count < 2 || version != nil else {
            throw Problem(.invalid, name, "the version must be a number, such as \(parts[0])@3")
        }
        let word = parts.first ?? name
        if try store.pipelines().contains(where: { $0.name == word }) {
            let kept = try store.pipeline(word, version: version)
            return NamedPipeline(
                name: kept.name, version: kept.version,
                definition: try PipelineDefinition(kept.toml, path: "\(kept.name) v\(kept.version)"))
        }
        guard name == Self.standardName else {
            throw Problem(
                .unknown, name, "unknown pipeline",
                remedy: NearestName.remedy(name, among: try pipelineNames(), none: "")
                    + " A file name must end in .toml.")
        }
        return NamedPipeline(name: name, definition: try PipelineDefinition("", path: name))
    }

    /// Returns the newest saved version of every pipeline in the workspace, by name.
    public func pipelineVersions() throws -> [String: Int] {
        Dictionary(try store.pipelines().map { ($0.name, $0.version) }, uniquingKeysWith: max)
    }

    /// Saves a pipeline as the next version of its name; a pipeline equal to the newest version changes nothing.
    ///
    /// The built-in pipeline becomes version 1 of its name first, so every former version stays available.
    public func save(_ definition: PipelineDefinition, as name: String) throws -> NamedPipeline {
        if name == Self.standardName, try pipelineVersions()[name] == nil {
            try store.savePipeline(name, toml: PipelineDefinition("", path: name).toml)
        }
        let kept = try store.savePipeline(name, toml: definition.toml)
        return NamedPipeline(name: kept.name, version: kept.version, definition: definition)
    }
}

extension PipelineDefinition {
    /// Reads a file.
    public init(contentsOf path: String) throws(Problem) {
        guard let bytes = SmallFile.content(path, limit: 1 << 20) else {
            throw Problem(.invalid, path, "cannot be read as a pipeline file")
        }
        try self.init(String(decoding: bytes, as: UTF8.self), path: path)
    }
}
