/// Architectures that model files can name.
///
/// ```swift
/// let model = try Checkpoints.open("tiny", architectures: .standard.adding(.mine))
/// ```
public struct Architectures: Sendable {
    public let all: [ArchitectureDescriptor]

    public static let standard = Architectures([
        .llama,
        .qwen2,
        .qwen3,
        .gemma2,
        .gemma3,
        .gpt2,
        .phi3,
        .mixtral,
        .bert,
    ])

    public init(_ all: [ArchitectureDescriptor]) { self.all = all }

    /// Returns a table with one more architecture; an architecture of the same name is replaced.
    public func adding(_ one: ArchitectureDescriptor) -> Architectures {
        Architectures(all.filter { $0 != one } + [one])
    }

    public subscript(name: String) -> ArchitectureDescriptor? { all.first { $0.name == name } }

    /// Returns the architecture of a config.json.
    func modelType(_ type: String) -> ArchitectureDescriptor? { all.first { $0.modelTypes.contains(type) } }

    /// Returns the architecture of a GGUF file.
    func gguf(_ name: String, hasExperts: Bool) -> ArchitectureDescriptor? {
        let found = all.filter { $0.ggufName == name }
        return found.first { $0.mixesExperts == hasExperts } ?? found.first
    }
}
