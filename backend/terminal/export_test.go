package terminal

// Floods is how many viewers it counts.
func (p *Pacer) Floods() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.floods
}
