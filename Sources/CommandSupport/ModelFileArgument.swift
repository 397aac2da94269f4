package import ArgumentParser
import ModelLab
import Providers

/// An argument for a local model: a name in the workspace, or a path.
package struct ModelFileArgument: ParsableArguments {
    @Argument(help: "Model name, or path of a model file or folder.", completion: .file())
    package var model: String

    @OptionGroup package var place: WorkspaceOptions

    package init() {}

    /// Returns the path of the model file.
    ///
    /// - Throws: `Failure` if the model is remote.
    package func path() throws -> String { try place.modelPath(model) }
}

extension WorkspaceOptions {
    /// Returns the file of a model.
    ///
    /// - Throws: `Failure` if the model is remote.
    package func modelPath(_ word: String) throws -> String {
        let specification =
            isUnused ? try ModelHouse.unregistered(word) : try ModelHouse(try openForReading()).specification(of: word)
        guard case .local(let path) = specification else {
            throw Failure("\(word) is not a local model. Use a model file or folder.")
        }
        return path
    }
}
