internal import Console
internal import Workspace

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

    /// The panels that might show a thing besides the one in front; which of them do is told by their previews.
    func otherPanels(opening reference: Reference) -> [Int] { panels(opening: reference).filter { $0 != current } }

    /// Opens a thing where it can be shown; asks where several panels can.
    func open(_ reference: Reference, leavingTrail: Bool) {
        let able = panels(opening: reference)
        if let home = able.first(where: { panels[$0].homeOf.contains(reference.kind) }) {
            return open(reference, in: home, leavingTrail: leavingTrail)
        }
        if able.count > 1 { return offer(reference, opensOnlyOne: true) }
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
            return notify("\(panels[panel].title) cannot show \(reference.title)", .warning)
        }
        perform(effects, for: panel)
    }

    // MARK: The list of panels

    /// Lists the other panels that have something to show of a thing, with what that is.
    ///
    /// The panels are asked beside the drawing thread; keys that come meanwhile are the list's.
    ///
    /// - Parameter opensOnlyOne: opens the thing without a list where one panel alone shows something.
    func offer(_ reference: Reference, opensOnlyOne: Bool = false) {
        let asked = otherPanels(opening: reference).map { (panel: $0, work: panels[$0].preview(of: reference)) }
        guard !asked.isEmpty else {
            let reason = reference.onlyHere.map { ": \($0)" } ?? ""
            return notify("no other panel shows \(reference.title)\(reason)", .warning)
        }
        let (ticket, cancellation, engine) = (takeTicket(), Cancellation(), engine)
        overlay = .places(
            PlaceMenu(
                reference: reference, ticket: ticket, cancellation: cancellation, asked: .now,
                opensOnlyOne: opensOnlyOne))
        needsDrawing = true
        engine.run(isJob: false) {
            var found: [(panel: Int, preview: Preview)] = []
            for (panel, work) in asked where !cancellation.isCancelled {
                do {
                    found.append((panel, try work(cancellation)))
                } catch {
                    found.append((panel, .nothing(sentence(of: error))))
                }
            }
            engine.post(.previewed(ticket: ticket, found))
        }
    }

    /// Takes the panels' answers; a list that was left meanwhile does not come back.
    func fillPlaces(_ ticket: UInt64, _ found: [(panel: Int, preview: Preview)]) {
        guard case .places(var menu) = overlay, menu.ticket == ticket else { return }
        needsDrawing = true
        menu.ticket = nil
        for (panel, preview) in found {
            if case .shows(let sight) = preview { menu.rows.append(.init(panel: panel, sight: sight)) }
        }
        guard let first = menu.rows.first else {
            overlay = nil
            return notify(refusal(of: menu.reference, found), .warning)
        }
        if menu.rows.count == 1, menu.opensOnlyOne {
            overlay = nil
            return open(menu.reference, in: first.panel)
        }
        menu.selected = min(menu.selected, menu.rows.count - 1)
        if menu.isChosen { return choose(in: menu) }
        overlay = .places(menu)
    }

    /// Why nothing is offered: what each panel says.
    private func refusal(of reference: Reference, _ found: [(panel: Int, preview: Preview)]) -> String {
        let reasons = found.compactMap { panel, preview -> String? in
            guard case .nothing(let why) = preview else { return nil }
            return "\(panels[panel].title): \(why.hasSuffix(".") ? String(why.dropLast()) : why)"
        }
        return "no other panel shows \(reference.title). \(reasons.joined(separator: "; "))"
    }

    /// Opens the selected row.
    func choose(in menu: PlaceMenu) {
        overlay = nil
        guard menu.rows.indices.contains(menu.selected) else { return }
        open(menu.reference, in: menu.rows[menu.selected].panel)
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
