internal import Tensors

/// Activations by hook, as a safetensors file whose tensors go by TransformerLens's names.
///
/// Files that were captured elsewhere open the same way: a leading batch axis of 1 is dropped, float16 and bfloat16
/// become float32.
public struct ActivationFile: Equatable, Sendable {
    public var activations: [Hook: HookActivation] = [:]
    /// Texts stored with the tensors: the model, the prompt.
    public var metadata: [String: String] = [:]
    /// Tensors of the file whose names are not hooks.
    public var otherNames: [String] = []

    public init() {}

    public subscript(hook: Hook) -> HookActivation? {
        get { activations[hook] }
        set { activations[hook] = newValue }
    }

    /// - Throws: `ModelError` where the file is none of tensors, names no hook, or a tensor has another number of axes
    ///   than its hook.
    public static func read(_ path: String) throws(ModelError) -> ActivationFile {
        let file: TensorFile
        do { file = try TensorFile.open(path) } catch { throw ModelError(error) }
        var result = ActivationFile()
        result.metadata = file.metadata
        for name in file.names {
            guard let hook = Hook(name) else {
                result.otherNames.append(name)
                continue
            }
            result.activations[hook] = try read(hook, name, of: file)
        }
        guard !result.activations.isEmpty else {
            throw ModelError(
                path, problem: "none of the \(file.names.count) tensor names is a hook",
                remedy: "Use TransformerLens names, such as blocks.0.hook_resid_post.")
        }
        return result
    }

    private static func read(_ hook: Hook, _ name: String, of file: TensorFile) throws(ModelError) -> HookActivation {
        let tensor: AnyTensor
        do { tensor = try file.tensor(named: name) } catch { throw ModelError(error) }
        var shape = tensor.shape
        if shape.count == hook.rank + 1, shape[0] == 1 { shape.removeFirst() }
        guard shape.count == hook.rank else {
            throw ModelError(
                file.path, problem: "\(name) has shape \(tensor.shape), but its hook has \(hook.rank) axes",
                remedy: "Save a single sequence; a batch axis of size 1 is allowed.")
        }
        do {
            return HookActivation(shape: shape, values: try tensor.converted(to: Float.self).elements)
        } catch {
            throw ModelError(file.path, problem: "\(name): \(error.problem)")
        }
    }

    /// Writes a safetensors file, whole or not at all.
    ///
    /// - Parameter path: ends in .safetensors.
    public func write(to path: String) throws(ModelError) {
        guard path.hasSuffix(".safetensors") else {
            throw ModelError(
                path, problem: "activations can be saved only as safetensors",
                remedy: "Use the extension .safetensors.")
        }
        var tensors: [(name: String, tensor: AnyTensor)] = []
        for (hook, activation) in activations {
            do {
                let tensor = try Tensor<Float>(activation.values, shape: activation.shape)
                tensors.append((hook.name, AnyTensor(tensor)))
            } catch {
                throw ModelError(path, problem: "\(hook.name): \(error.problem)")
            }
        }
        tensors.sort { $0.name < $1.name }
        do { try TensorFile.write(tensors, metadata: metadata, to: path) } catch { throw ModelError(error) }
    }
}

extension Hook {
    /// Axes of what is shown.
    var rank: Int {
        switch self {
        case .query, .key, .value, .rotatedQuery, .rotatedKey, .scores, .pattern, .z: 3
        default: 2
        }
    }
}
