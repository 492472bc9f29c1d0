package symmom_test
import ("testing";"fmt";"os";"strings";"symmom/symmom")
func TestPlay(t *testing.T){
 s:=symmom.Load("/tmp/reuters.npz")
 b,_:=os.ReadFile("/tmp/reuters.words"); words:=strings.Fields(string(b))
 for _,k:=range []int{5,10,20,30,40}{
  x:=s.Topics(k, symmom.TopicsOptions{})
  for i:=range x.Names { x.Names[i]=words[i] }
  fmt.Println(x, x.Prior, x.Bound)
  p,err:=x.Perplexity(s); c,e2:=x.Coherence(s); fmt.Println(p,err,c,e2)
 }
}
