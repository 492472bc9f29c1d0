package main

// addPaper adds the comparison with the paper.
func (s *site) addPaper() error {
	p, err := s.documentPage("paper/RESULTS.md", "Paper")
	if err != nil {
		return err
	}
	p.path = "paper.html"
	s.add(p)
	return nil
}
