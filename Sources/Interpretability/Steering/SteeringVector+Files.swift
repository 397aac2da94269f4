internal import Models
public import System
internal import Tensors

extension SteeringVector {
    /// Writes the rows as the tensor `vector`, `[positions, D]`, of a safetensors file, with the rest as metadata.
    ///
    /// - Parameter path: Path that ends in .safetensors.
    public func write(to path: String) throws(Problem) {
        guard path.hasSuffix(".safetensors") else {
            throw Problem(
                .invalid, path, "a steering vector can only be saved as safetensors",
                remedy: "Use a name that ends in .safetensors.")
        }
        var metadata = ["hook": hook.name, "model": model, "method": method]
        switch unit {
        case .plain: metadata["unit"] = "plain"
        case .residualNorm(let value): (metadata["unit"], metadata["unit_value"]) = ("residual_norm", "\(value)")
        case .featureMaximum(let value): (metadata["unit"], metadata["unit_value"]) = ("feature_maximum", "\(value)")
        }
        do {
            try TensorFile.write([("vector", AnyTensor(rows))], metadata: metadata, to: path)
        } catch {
            throw Problem(.failed, path, "cannot write the file (\(error.sentence))")
        }
    }

    /// Reads what `write` wrote.
    ///
    /// - Throws: `Problem` that says what the file lacks, if it is not a steering vector.
    public static func read(_ path: String) throws(Problem) -> SteeringVector {
        let rows: Tensor<Float>
        let metadata: [String: String]
        do {
            let file = try TensorFile.open(path)
            metadata = file.metadata
            rows = try file.tensor(named: "vector").converted(to: Float.self)
        } catch {
            throw Problem(.invalid, path, "not a steering vector (\(error))")
        }
        guard let name = metadata["hook"], let hook = Hook(name) else {
            throw Problem(
                .missing, path, "the vector's hook is missing",
                remedy: "Set hook in the metadata, such as blocks.3.hook_resid_post.")
        }
        let value = metadata["unit_value"].flatMap(Float.init)
        let unit: Unit
        switch (metadata["unit"] ?? "plain", value) {
        case ("plain", _): unit = .plain
        case ("residual_norm", let value?) where value > 0 && value.isFinite: unit = .residualNorm(value)
        case ("feature_maximum", let value?) where value > 0 && value.isFinite: unit = .featureMaximum(value)
        default:
            throw Problem(
                .unknown, path, "unit \(metadata["unit"] ?? "") is unknown or has no value above 0",
                remedy: "Use plain, or residual_norm or feature_maximum with a unit_value.")
        }
        return try SteeringVector(
            rows, hook: hook, unit: unit, model: metadata["model"] ?? "", method: metadata["method"] ?? "")
    }
}
