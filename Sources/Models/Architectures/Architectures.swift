/// The architectures that a program can load and train.
///
/// A table is a value: programs use ``standard``, and tests and extensions add architectures to a copy.
///
/// ```swift
/// let model = try Checkpoints.open("tiny", architectures: .standard.adding(.mine))
/// ```
public struct Architectures: Sendable {
    /// Architectures in the order in which errors list them.
    public let all: [ArchitectureDescriptor]

    /// Every architecture in this module.
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

    /// Creates a table of architectures with different names.
    public init(_ all: [ArchitectureDescriptor]) { self.all = all }

    /// Returns the table with an architecture added at the end, or moved there if it replaces one of the same name.
    public func adding(_ architecture: ArchitectureDescriptor) -> Architectures {
        Architectures(all.filter { $0 != architecture } + [architecture])
    }

    /// The architecture with a name; `nil` if the table has none.
    public subscript(name: String) -> ArchitectureDescriptor? { all.first { $0.name == name } }

    /// Returns the architecture for `model_type` in config.json; `nil` if the table has none.
    func modelType(_ type: String) -> ArchitectureDescriptor? { all.first { $0.modelTypes.contains(type) } }

    /// Returns the architecture for `general.architecture` in a GGUF file; `nil` if the table has none.
    ///
    /// - Parameter hasExperts: Whether the file contains experts, which tells Mixtral from Llama.
    func gguf(_ name: String, hasExperts: Bool) -> ArchitectureDescriptor? {
        let found = all.filter { $0.ggufName == name }
        return found.first { $0.hasExperts == hasExperts } ?? found.first
    }
}
