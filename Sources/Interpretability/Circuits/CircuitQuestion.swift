/// A question about a model: two prompts, two answers, and where their difference is located.
package struct CircuitQuestion: Hashable, Sendable {
    /// Method that computes the cells of the map.
    package enum Method: String, CaseIterable, Sendable {
        /// Every cell is run.
        case patching
        /// All cells from one backward pass.
        case attribution
        /// Heads and feed-forwards of the clean prompt are removed.
        case ablation
    }

    /// Path of a model's file, or empty.
    package var model = ""
    package var clean = ""
    package var corrupt = ""
    /// Texts of the two tokens; an empty one is chosen by the model.
    package var answer = ""
    package var wrong = ""
    package var method = Method.patching
    package var site = PatchSite.residualPre
    package var axes = PatchAxes.layerByPosition
    package var grain = AttributionGrain.heads

    package init() {}
}
