internal import GRDB

extension FeatureStore {
    /// Sets the hook and model of a dictionary whose files do not record them; `nil` keeps the known value.
    ///
    /// - Parameters:
    ///   - hook: TransformerLens's name.
    ///   - modelPath: The model's file or folder.
    public func setOrigin(of id: Int64, hook: String?, model: String?, modelPath: String?) throws {
        try change(
            id,
            """
            UPDATE feature_dictionary
            SET hook = coalesce(?, hook), model = coalesce(?, model), model_path = coalesce(?, model_path) WHERE id = ?
            """, [hook, model, modelPath, id])
    }

    /// Accepts the current file of a dictionary as the indexed file.
    public func acceptWeights(of id: Int64) throws {
        guard let path = try dictionary(id).path, let digest = Self.digest(ofWeights: path) else {
            return
        }
        try change(id, "UPDATE feature_dictionary SET digest = ? WHERE id = ?", [digest, id])
    }
}
