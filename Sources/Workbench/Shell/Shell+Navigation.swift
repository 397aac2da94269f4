internal import Console

extension Shell {
    /// The panels that can show a thing.
    func panels(opening reference: Reference) -> [Int] {
        panels.indices.filter { place in
            let identifier = panels[place].identifier
            guard panels[place].opens.contains(reference.kind), !reference.barred.contains(identifier) else {
                return false
            }
            return reference.panels?.contains(identifier) ?? true
        }
    }

    /// Opens a thing where it can be shown; asks where several panels can.
    func open(_ reference: Reference, leavingTrail: Bool) {
        let able = panels(opening: reference)
        if let home = able.first(where: { panels[$0].homeOf.contains(reference.kind) }) {
            return open(reference, in: home, leavingTrail: leavingTrail)
        }
        if able.count > 1 { return offer(reference) }
        guard let panel = able.first else {
            return notify("no panel shows a \(reference.kind.rawValue)", .warning)
        }
        open(reference, in: panel, leavingTrail: leavingTrail)
    }

    func open(_ reference: Reference, in panel: Int, leavingTrail: Bool = true) {
        if leavingTrail { backStack.append(Place(panel: current, reference: self.panel.selection)) }
        show(panel)
        guard let effects = panels[panel].open(reference) else {
            if leavingTrail { goBack() }
            return notify("\(panels[panel].title) does not know \(reference.title)", .warning)
        }
        perform(effects, for: panel)
    }

    /// Lists the panels that can show a thing.
    func offer(_ reference: Reference) {
        let able = panels(opening: reference)
        guard !able.isEmpty else { return notify("no panel shows a \(reference.kind.rawValue)", .warning) }
        // Where one is comes last: it is what one wants to leave.
        let others = able.filter { $0 != current } + able.filter { $0 == current }
        let title = reference.title.truncated(toColumns: 40)
        let chooser = Chooser("Open \(title) in", others.map { Choice(panels[$0].title, value: $0) })
        overlay = .dialog(
            ChooserDialog(chooser: chooser, accept: { [unowned self] in open(reference, in: $0[0]) }))
        needsDrawing = true
    }

    /// Returns to where the last `open` came from.
    func goBack() {
        guard let place = backStack.popLast() else { return }
        show(place.panel)
        // Whoever comes back finds it as it was left: it is opened anew only where something else is shown by now.
        guard let reference = place.reference, reference != panel.selection,
            let effects = panels[place.panel].open(reference)
        else { return }
        perform(effects, for: place.panel)
    }
}
