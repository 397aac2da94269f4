extension EvalPanel {
    /// What keys do on the page that is shown.
    package func wording(_ action: EvalAction) -> ActionWording? {
        switch page {
        case .runs: wordingOfRuns(action)
        case .samples: wordingOfSamples(action)
        case .failures: wordingOfFailures(action)
        case .diff: wordingOfDiff(action)
        case .sides: wordingOfSides(action)
        case .matrix: wordingOfMatrix(action)
        case .queue: wordingOfQueue(action)
        }
    }

    private func wordingOfRuns(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open: ActionWording(hint: "samples", description: "read the run's samples")
        case .filter where pane != .about:
            ActionWording(hint: "filter", description: "list the runs in whose name, task, model or state words stand")
        case .filter: ActionWording(hint: "find", description: "find a text")
        case .nextRegression, .previousRegression: ActionWording(hint: nil)
        case .view: ActionWording(hint: "view", description: "overview, slices or settings of the run")
        case .formula: ActionWording(hint: nil, description: "formulas and sums of the chart")
        case .sort: ActionWording(hint: nil, description: "sort the runs by the next column")
        case .copy: ActionWording(hint: nil, description: "copy the figures as Markdown")
        case .export:
            ActionWording(
                hint: runs.marked.count > 1 ? "export marked" : nil,
                description: "write the samples of the run, or of the marked runs, to files")
        case .delete:
            ActionWording(
                hint: runs.marked.count > 1 ? "delete marked" : nil, description: "delete the run, or the marked runs")
        default: nil
        }
    }

    private func wordingOfSamples(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open:
            ActionWording(hint: "trace", description: "open the sample's trace at the failing step", isFirst: true)
        case .nextRegression:
            ActionWording(
                hint: open?.contrast == nil ? "next failure" : "next worse",
                description: open?.contrast == nil
                    ? "to the next sample that failed" : "to the next sample that became worse", isFirst: true)
        case .filter where pane == .sample: ActionWording(hint: "find", description: "find a text")
        case .filter: ActionWording(hint: "filter", isFirst: true)
        case .baseline:
            ActionWording(
                hint: open?.contrast == nil ? "baseline" : "no baseline",
                description: open?.contrast == nil
                    ? "hold the samples against another run" : "hold the samples against no run any more")
        case .run, .resume: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the sample as Markdown")
        default: nil
        }
    }

    private func wordingOfFailures(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open: ActionWording(hint: "its samples", description: "list the samples of the group", isFirst: true)
        case .filter: ActionWording(hint: "find", description: "find a text in the sample")
        case .failures, .run, .resume, .diff, .openLog: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the groups as Markdown")
        default: nil
        }
    }

    private func wordingOfDiff(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open where pane == .pairs:
            ActionWording(
                hint: "side by side", description: "the steps of both runs side by side, where they part",
                isFirst: true)
        case .open: ActionWording(hint: "trace", description: "open the trace of this run", isFirst: true)
        case .nextRegression:
            ActionWording(hint: "next worse", description: "to the next sample that became worse", isFirst: true)
        case .filter where pane == .pairs:
            ActionWording(hint: "filter", description: "list the samples in whose name or question words stand")
        case .filter: ActionWording(hint: "find", description: "find a text")
        case .view: ActionWording(hint: "one kind", description: "only what broke, was fixed, and so on")
        case .diff, .run, .resume, .failures, .queue, .openLog: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the comparison in a sentence")
        default: nil
        }
    }

    private func wordingOfSides(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open:
            ActionWording(hint: "trace", description: "open the step of the lit run in its trace", isFirst: true)
        case .left: ActionWording(hint: "left run", description: "Enter opens the run at the left", isFirst: true)
        case .right: ActionWording(hint: "right run", description: "Enter opens the run at the right", isFirst: true)
        case .nextMatch:
            ActionWording(hint: "next difference", description: "to the next step that differs", isFirst: true)
        case .previousMatch: ActionWording(hint: nil, description: "to the step before that differs")
        case .nextRegression:
            ActionWording(hint: "next worse", description: "the next sample that became worse", isFirst: true)
        case .previousRegression: ActionWording(hint: nil, description: "the sample before that became worse")
        case .filter: ActionWording(hint: "find", description: "find a text on both sides")
        case .sides, .diff, .run, .resume, .failures, .queue, .openLog, .view: ActionWording(hint: nil)
        case .copy: ActionWording(hint: nil, description: "copy the step of the lit run")
        default: nil
        }
    }

    private func wordingOfMatrix(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .open:
            ActionWording(hint: "samples", description: "read the samples of the run in the cell", isFirst: true)
        case .left: ActionWording(hint: nil, description: "to the model at the left")
        case .right: ActionWording(hint: nil, description: "to the model at the right")
        case .filter: ActionWording(hint: "find", description: "go to a prompt and a model by words")
        case .run, .resume, .openLog: ActionWording(hint: nil)
        default: nil
        }
    }

    private func wordingOfQueue(_ action: EvalAction) -> ActionWording? {
        switch action {
        case .grade: ActionWording(hint: "grade", description: "grade it from bad to excellent", isFirst: true)
        case .pass: ActionWording(hint: "pass", description: "it will do", isFirst: true)
        case .formula: ActionWording(hint: "fail", description: "it will not do", isFirst: true)
        case .sort: ActionWording(hint: "skip", description: "put it off", isFirst: true)
        case .undo: ActionWording(hint: "undo", description: "take the last word back", isFirst: true)
        case .comment: ActionWording(hint: "comment", description: "say why", isFirst: true)
        case .left: ActionWording(hint: nil, description: "the sample before")
        case .right: ActionWording(hint: "next", description: "the sample after", isFirst: true)
        case .rename: ActionWording(hint: nil, description: "who judges")
        case .filter: ActionWording(hint: nil, description: "find a text")
        case .open: ActionWording(hint: "trace", description: "open the sample's trace")
        case .diff, .run, .resume, .queue, .failures, .openLog: ActionWording(hint: nil)
        default: nil
        }
    }
}
