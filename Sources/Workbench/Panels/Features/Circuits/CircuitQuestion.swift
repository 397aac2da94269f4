internal import Interpretability
internal import Presentation

/// A question about a model: two prompts, two answers, and where their difference is located.
package struct CircuitQuestion: Hashable, Sendable {
    /// Method that computes the cells of the map.
    enum Method: String, CaseIterable, Sendable {
        /// Every cell is run.
        case patching
        /// All cells from one backward pass.
        case attribution
        /// Heads and feed-forwards of the clean prompt are removed.
        case ablation
    }

    /// Path of a model's file, or empty.
    var model = ""
    var clean = ""
    var corrupt = ""
    /// Texts of the two tokens; an empty one is chosen by the model.
    var answer = ""
    var wrong = ""
    var method = Method.patching
    var site = PatchSite.residualPre
    var axes = PatchAxes.layerByPosition
    var grain = AttributionGrain.heads

    package init() {}

    /// Why the question cannot run yet.
    var missing: String? {
        if model.isEmpty { return "choose a model: press M" }
        if clean.isEmpty { return "type a prompt: press C" }
        if corrupt.isEmpty, method != .ablation { return "type a prompt with a different answer: press X" }
        return nil
    }

    /// Whether the prompts are the sample's.
    var isSample: Bool { clean == SampleTexts.circuit.clean && corrupt == SampleTexts.circuit.corrupt }

    /// Title for the border of the map.
    var title: String {
        method == .ablation
            ? "ablation of heads and feed-forward layers" : "\(method.rawValue) of \(site.rawValue), \(axes.rawValue)"
    }

    /// Changes to the next site, with axes that the site has.
    mutating func nextSite() {
        site = site.next
        if !site.hasHeads { axes = .layerByPosition }
    }
}

extension CircuitQuestion {
    /// The question as saved.
    var text: String {
        get {
            var (copy, archive) = (self, Archive())
            copy.archive(&archive)
            return archive.text
        }
        set {
            if var archive = Archive(text: newValue) { self.archive(&archive) }
        }
    }

    private mutating func archive(_ archive: inout Archive) {
        archive("model", &model)
        archive("clean", &clean)
        archive("corrupt", &corrupt)
        archive("answer", &answer)
        archive("wrong", &wrong)
        archive("method", &method)
        archive("site", &site)
        archive("axes", &axes)
    }
}
