public import LanguageModels
public import Providers
internal import Synchronization
public import Workspace

/// Finds the model that a word means, and keeps those that run in this process open for the next who asks.
///
/// A word is a name of the workspace's registry, a path, or what `ProviderSpecification` reads.
///
/// ```swift
/// let house = ModelHouse(workspace)
/// let answer = try house.model("stories260K").respond(to: request)
/// ```
public final class ModelHouse: Sendable {
    public let registry: ModelRegistry
    private let workspace: Workspace

    /// Models in this process are shared by all houses.
    private static let shelf = LocalModelShelf()

    public init(_ workspace: Workspace) {
        self.workspace = workspace
        registry = ModelRegistry(workspace)
    }

    /// Returns the model for a name, path, or specification.
    ///
    /// - Parameter sink: Receives every call as a span; `nil` reports none.
    /// - Throws: An error if the name is unknown, or the file cannot be opened.
    public func model(_ word: String, reportingTo sink: (any SpanSink)? = nil) throws -> any LanguageModel {
        let model = try Providers.make(try specification(of: word)) { path in
            try Self.shelf.model(atPath: path)
        }
        return sink.map { CallReporting(model, to: $0) } ?? model
    }

    /// Returns the specification of a word, from the registry if it is a name.
    public func specification(of word: String) throws -> ProviderSpecification {
        guard let entry = try registry.entry(named: word) else {
            let specification = try Self.unregistered(word)
            // A word without a folder that is not a file is an unknown name.
            if case .local(let path) = specification, !path.contains("/"), !ModelPath.exists(path) {
                throw ModelRegistry.unknownModel(word, known: try registry.entries().map(\.name))
            }
            return specification
        }
        return try ProviderSpecification(entry.specification)
    }

    /// Returns the specification of a word that is not in the registry. Bundled models are known by their names,
    /// even in a workspace that the workbench has never opened.
    package static func unregistered(_ word: String) throws -> ProviderSpecification {
        let specification = try ProviderSpecification(word)
        guard case .local(let name) = specification, !name.contains("/"), !name.hasPrefix("."), !ModelPath.exists(name),
            let folder = InstalledFiles.folder("sample-data/models/\(name)")
        else { return specification }
        return .local(folder)
    }

    /// Returns the current state of a running model; `nil` if the model does not run in this process.
    public func live(_ word: String) -> LiveSnapshot? {
        guard case .local(let path)? = try? specification(of: word) else { return nil }
        return Self.shelf.live(atPath: path)
    }

    /// Adds a model to the registry: a file is opened and checked first.
    ///
    /// - Parameter name: Name of the model (default: the name of the file or model).
    public func add(_ word: String, name: String?, at time: Int64) throws -> ModelEntry {
        let specification = try ProviderSpecification(word)
        guard case .local(let path) = specification else {
            return try registry.add(
                name: name ?? specification.shortName, specification: specification.description, file: nil, at: time)
        }
        let file = try ModelEntry.File(readingFrom: path)
        let absolute = ModelPath.absolute(path)
        return try registry.add(
            name: name ?? ModelPath.name(of: absolute), specification: absolute, file: file, at: time)
    }
}

extension ProviderSpecification {
    /// `gpt-4o-mini` of `openai:gpt-4o-mini`.
    var shortName: String {
        switch self {
        case .openAI(let endpoint), .anthropic(let endpoint):
            endpoint.model.isEmpty ? endpoint.address : endpoint.model
        case .program(let words): words.first.map(ModelPath.name) ?? "program"
        case .scripted: "scripted"
        case .replay(let path), .local(let path): ModelPath.name(of: path)
        }
    }
}
