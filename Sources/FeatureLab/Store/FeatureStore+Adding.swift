internal import Glibc
internal import Interpretability
internal import ModelLab
internal import Workspace

/// What came of adding the files of a dictionary.
package struct AddedDictionary: Sendable {
    /// As the workspace has it now.
    package var dictionary: FeatureDictionary
    /// Number of labels imported from the weights' folder.
    package var labels: Int
    /// Why the labels in the folder were not imported; `nil` if they were, or if there are none.
    package var remark: String?
}

extension FeatureStore {
    /// Name of the file next to a dictionary's weights that contains labels in Neuronpedia's format.
    private static let labelsName = "labels.json"

    /// Adds a dictionary that was trained elsewhere, with the labels in its folder.
    ///
    /// - Parameters:
    ///   - path: Folder of the dictionary, or a file in it.
    ///   - name: Name of the dictionary (default: folder name).
    ///   - hook: Hook that the dictionary reads, if its files do not say.
    ///   - modelPath: The file of its model; `nil` looks for one of the name that its files give, in the workspace and
    ///     among the models that come with the program.
    /// - Throws: `Problem` if the files are not a dictionary, or if the given model does not match it.
    package func add(
        at path: String, name: String? = nil, hook: String? = nil, modelPath: String? = nil
    ) throws -> AddedDictionary {
        var weights = try DictionaryFile.open(path)
        if let hook { weights.origin.hook = hook }
        let name = name ?? ModelPath.name(of: path)
        let found = modelPath == nil ? self.modelPath(named: weights.origin.model) : nil
        var model = modelPath
        if let modelPath {
            weights.origin.model = try Self.fitting(weights, to: modelPath, name)
        } else if let found, (try? Self.fitting(weights, to: found, name)) != nil {
            model = found
        }
        let added = try add(
            .init(weights, name: name, path: ModelPath.absolute(path), modelPath: model.map(ModelPath.absolute)))
        var result = AddedDictionary(dictionary: added, labels: 0)
        guard let labels = Self.labels(beside: path) else { return result }
        // An unrelated file of that name must not prevent adding the dictionary.
        do { result.labels = try importNeuronpedia(labels, into: added.id).labels } catch {
            result.remark = "\(error)"
        }
        return result
    }

    /// Returns the dictionary with the file of its model, if the workspace or the installation has a model of that
    /// name.
    package func located(_ dictionary: FeatureDictionary) -> FeatureDictionary {
        guard dictionary.modelPath == nil else { return dictionary }
        var located = dictionary
        located.description.modelPath = modelPath(named: dictionary.model)
        return located
    }

    private func modelPath(named name: String) -> String? {
        name.isEmpty || name.contains("/") ? nil : ModelHouse(workspace).localPath(of: name)
    }

    /// - Returns: The model's name.
    /// - Throws: An error if the model has no such hook, or of another width: it is found out now rather than when it
    ///   is used.
    private static func fitting(_ weights: SparseAutoencoder, to path: String, _ name: String) throws -> String {
        let model = try InspectedModel(path: path)
        _ = try AttachedDictionary(name, weights, hook: try model.hook(named: weights.origin.hook), for: model)
        return model.name
    }

    private static func labels(beside path: String) -> String? {
        var status = stat()
        let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let labels = (isFolder ? path : FileLocation.folder(of: path)) + "/" + labelsName
        return ModelPath.exists(labels) ? labels : nil
    }
}
