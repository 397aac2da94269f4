internal import Interpretability
internal import Presentation

extension CircuitQuestion {
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
