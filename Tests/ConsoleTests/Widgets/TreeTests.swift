import Console
import Testing

@Suite("Tree")
struct TreeTests {
    /// Root 0 with the children 1 (with 2 and 3) and 4 (with 5), and root 6 with the child 7.
    private let shape = TreeShape(depths: [0, 1, 2, 2, 1, 2, 0, 1])

    private func draw(_ tree: Tree, _ columns: Int, _ rows: Int) -> Surface {
        picture(columns, rows) {
            tree.draw(into: &$0, in: $0.bounds, theme: .dark, isFocused: true) { surface, row in
                surface.put("n\(row.node)", at: row.area.origin, style: row.style(.text, .dark), width: 8)
            }
        }
    }

    @Test("nodes are indented below their parents")
    func indent() {
        var tree = Tree(shape, height: 8)
        tree.close(4)
        tree.select(3)
        #expect(
            draw(tree, 16, 8).textDump == """
                  ▾ n0
                    ▾ n1
                        n2
                ▌       n3
                    ▸ n4
                  ▾ n6
                      n7

                """)
    }

    @Test("a shape can be created from depths or from parents")
    func shapes() {
        #expect(TreeShape(parents: [nil, 0, 1, 1, 0, 4, nil, 6]) == shape)
        #expect(shape.parent(of: 3) == 1 && shape.parent(of: 6) == nil)
        #expect(shape.end(of: 0) == 6 && shape.end(of: 4) == 6 && shape.end(of: 7) == 8)
        #expect(shape.nextSibling(of: 1) == 4 && shape.nextSibling(of: 4) == nil && shape.nextSibling(of: 0) == 6)
        // Depths that skip a level are reduced, and parents that come later are ignored.
        #expect(TreeShape(depths: [3, 5, -1]) == TreeShape(depths: [0, 1, 0]))
        #expect(TreeShape(parents: [2, 0, 9]) == TreeShape(depths: [0, 1, 0]))
    }

    @Test("the arrow keys open, close, ascend, and descend")
    func arrows() {
        var tree = Tree(shape, height: 8)
        tree.select(2)
        tree.closeOrAscend()
        #expect(tree.selectedNode == 1)
        tree.closeOrAscend()
        #expect(tree.isClosed(1) && tree.selectedNode == 1 && tree.rowCount == 6)
        tree.closeOrAscend()
        #expect(tree.selectedNode == 0)
        tree.openOrDescend()
        #expect(tree.selectedNode == 1)
        tree.openOrDescend()
        #expect(!tree.isClosed(1) && tree.rowCount == 8)
        tree.openOrDescend()
        #expect(tree.selectedNode == 2)
        tree.openOrDescend()
        #expect(tree.selectedNode == 2)
    }

    @Test("closing an ancestor of the selected node selects the ancestor")
    func hiddenSelection() {
        var tree = Tree(shape, height: 8)
        tree.select(5)
        tree.close(0)
        #expect(tree.selectedNode == 0 && tree.rowCount == 3)
        tree.select(5)
        #expect(tree.selectedNode == 5 && !tree.isClosed(0) && tree.rowCount == 8)
    }

    @Test("closed nodes stay closed when their ancestor opens")
    func nestedClosing() {
        var tree = Tree(shape, height: 8)
        tree.close(1)
        tree.close(0)
        tree.open(0)
        #expect(tree.isClosed(1) && tree.rowCount == 6 && !tree.isVisible(2))
        tree.closeAll(fromDepth: 1)
        #expect((0..<8).filter(tree.isVisible) == [0, 1, 4, 6, 7])
        tree.openAll()
        #expect(tree.rowCount == 8)
    }

    @Test("a point is mapped to its node and marker")
    func nodeAtPoint() {
        var tree = Tree(shape, height: 8)
        tree.close(1)
        let area = Rect(column: 0, row: 0, columns: 16, rows: 8)
        #expect(tree.node(at: Point(column: 4, row: 1), in: area)! == (1, true))
        #expect(tree.node(at: Point(column: 9, row: 2), in: area)! == (4, false))
        #expect(tree.node(at: Point(column: 4, row: 7), in: area) == nil)
    }

    @Test("a tree stays within small areas", arguments: [Size(0, 0), Size(1, 1), Size(3, 2), Size(5, 3)])
    func smallAreas(size: Size) {
        let deep = Tree(TreeShape(depths: 0..<40), height: size.rows)
        let lines = draw(deep, size.columns, size.rows).textDump.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= size.columns })
    }

    @Test("deep trees leave room for the contents of their rows")
    func deepTrees() {
        var tree = Tree(TreeShape(depths: 0..<40), height: 3)
        tree.select(39)
        #expect(draw(tree, 20, 3).textDump.split(separator: "\n").allSatisfy { $0.contains("n") })
    }

    @Test("an empty tree has no selected node")
    func emptyTree() {
        var tree = Tree(TreeShape(depths: []), height: 5)
        tree.openOrDescend()
        tree.closeOrAscend()
        tree.closeAll()
        tree.select(3)
        #expect(tree.selectedNode == nil && tree.rowCount == 0)
    }

    @Test("rows and nodes agree with a naive walk over all nodes", arguments: 0..<8)
    func naiveWalk(seed: Int) {
        var state = UInt64(seed + 77)
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var depth = 0
        let shape = TreeShape(
            depths: (0..<300).map { _ in
                depth = max(0, min(depth + 1, depth + 1 - random(4)))
                return depth
            })
        var tree = Tree(shape, height: 10)
        for _ in 0..<300 {
            switch random(10) {
            case 0: tree.closeAll(fromDepth: random(4))
            case 1: tree.openAll()
            case 2: tree.select(random(300))
            case 3: tree.move { $0.move(by: random(40) - 20) }
            default: tree.toggle(random(300))
            }
            let visible = (0..<300).filter { node in
                var ancestor = shape.parent(of: node)
                while let each = ancestor {
                    if tree.isClosed(each) { return false }
                    ancestor = shape.parent(of: each)
                }
                return true
            }
            #expect(tree.rowCount == visible.count)
            #expect((0..<visible.count).map(tree.node(atRow:)) == visible)
            for (row, node) in visible.enumerated() where tree.row(of: node) != row {
                Issue.record("node \(node) is in row \(tree.row(of: node)), expected \(row)")
            }
            #expect(tree.selectedNode.map(visible.contains) == true)
        }
    }
}
