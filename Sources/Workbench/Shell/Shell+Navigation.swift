internal import Console
internal import Workspace

extension Shell {
    /// Returns the panels that can show an object.
    func panels(opening reference: Reference) -> [Int] {
        panels.indices.filter { place in
            let identifier = panels[place].identifier
            guard panels[place].opens.contains(reference.kind), !reference.barred.contains(identifier) else {
                return false
            }
            return reference.panels?.contains(identifier) ?? true
        }
    }

    /// Panels other than the current one that may show an object; their previews decide which do.
    func otherPanels(opening reference: Reference) -> [Int] { panels(opening: reference).filter { $0 != current } }

    /// Opens an object in the panel that can show it; asks if there are several.
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
        if leavingTrail { backStack.append(Origin(panel: current, reference: self.panel.selection)) }
        show(panel)
        guard let effects = panels[panel].open(reference) else {
            if leavingTrail { goBack() }
            return notify("\(panels[panel].title) cannot show \(reference.title)", .warning)
        }
        perform(effects, for: panel)
    }

    // MARK: The list of panels

    /// Lists the other panels that can show an object, with a description of what they show.
    ///
    /// The previews run outside the drawing thread; keys pressed in the meantime go to the list.
    ///
    /// - Parameter opensOnlyOne: Whether to open the object without a list if only one panel can show it.
    func offer(_ reference: Reference, opensOnlyOne: Bool = false) {
        let asked = otherPanels(opening: reference).map { (panel: $0, work: panels[$0].preview(of: reference)) }
        guard !asked.isEmpty else {
            let reason = reference.onlyHere.map { ": \($0)" } ?? ""
            return notify("no other panel shows \(reference.title)\(reason)", .warning)
        }
        let (ticket, cancellation, engine) = (takeTicket(), Cancellation(), engine)
        overlay = .open(
            OpenMenu(
                reference: reference, ticket: ticket, cancellation: cancellation, asked: .now,
                opensOnlyOne: opensOnlyOne))
        needsDrawing = true
        engine.run(.read) {
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

    /// Fills the list with the previews, unless the user has closed the list.
    func fillOpenMenu(_ ticket: UInt64, _ found: [(panel: Int, preview: Preview)]) {
        guard case .open(var menu) = overlay, menu.ticket == ticket else { return }
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
        overlay = .open(menu)
    }

    /// Returns a message with each panel's reason for showing nothing.
    private func refusal(of reference: Reference, _ found: [(panel: Int, preview: Preview)]) -> String {
        let reasons = found.compactMap { panel, preview -> String? in
            guard case .nothing(let why) = preview else { return nil }
            return "\(panels[panel].title): \(why.hasSuffix(".") ? String(why.dropLast()) : why)"
        }
        return "no other panel shows \(reference.title). \(reasons.joined(separator: "; "))"
    }

    /// Opens the selected row.
    func choose(in menu: OpenMenu) {
        overlay = nil
        guard menu.rows.indices.contains(menu.selected) else { return }
        open(menu.reference, in: menu.rows[menu.selected].panel)
    }

    /// Returns to where the last `open` came from.
    func goBack() {
        guard let origin = backStack.popLast() else { return }
        show(origin.panel)
        // Panels keep their state, so the object opens again only if the panel now shows something else.
        guard let reference = origin.reference, reference != panel.selection,
            let effects = panels[origin.panel].open(reference)
        else { return }
        perform(effects, for: origin.panel)
    }
}
